import { useState } from 'preact/hooks';
import { type PortalRight, wholeRights } from '../../../contract/identity/portal.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SecretDialog } from '../../kit/dialogs/secret-dialog.tsx';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { api } from '../../session/api.ts';
import { useChannelChoice } from '../channels/use-channels.ts';

const rightLabels: readonly (readonly [PortalRight, string])[] = [
  ['deliveries.read', 'See deliveries'],
  ['deliveries.retry', 'Retry, cancel and replay deliveries'],
  ['subscriptions.read', 'See subscriptions'],
  ['subscriptions.manage', 'Create, change and delete subscriptions'],
  ['replays.read', 'See replays'],
  ['replays.manage', 'Start and stop replays'],
];

const lifetimes = [
  ['900', '15 minutes'],
  ['3600', '1 hour'],
  ['28800', '8 hours'],
  ['86400', '1 day'],
] as const;
type Lifetime = (typeof lifetimes)[number][0];

interface LinkPlan {
  readonly name: string;
  readonly rights: readonly PortalRight[];
  /** Empty for all channels. */
  readonly channelIds: readonly string[];
  readonly lifetime: Lifetime;
}

const initialPlan: LinkPlan = {
  ...{ name: '', channelIds: [], lifetime: '3600' },
  rights: ['deliveries.read', 'subscriptions.read'],
};

const bodyOf = ({ name, rights, channelIds, lifetime }: LinkPlan) => ({
  rights: wholeRights(rights),
  expiresIn: Number(lifetime),
  ...(name.trim() !== '' && { name }),
  ...(channelIds.length > 0 && { channelIds: [...channelIds] }),
});

interface CreatePortalLinkDialogProps {
  readonly ws: string;
  readonly onCreated: () => Promise<void>;
  readonly onClose: () => void;
}

export function CreatePortalLinkDialog({ ws, onCreated, onClose }: CreatePortalLinkDialogProps) {
  const [plan, setPlan] = useState(initialPlan);
  const [url, setUrl] = useState<string | null>(null);
  const action = useAction(async () => {
    setUrl((await api.post('/workspaces/{ws}/portal-links', { params: { path: { ws } }, body: bodyOf(plan) })).url);
    await onCreated();
  });
  if (url !== null) {
    return (
      <SecretDialog key="created" title="Portal link created" secret={url} what="portal link" onClose={onClose}>
        Copy the link now; it isn't shown again. Anyone who has it can use its rights until it ends.
      </SecretDialog>
    );
  }
  return (
    <Dialog key="new" title="Create portal link" onClose={onClose}>
      <Form action={action} submit="Create link" onCancel={onClose}>
        <PlanFields ws={ws} plan={plan} onPlan={(changes) => setPlan({ ...plan, ...changes })} />
      </Form>
    </Dialog>
  );
}

interface PlanFieldsProps {
  readonly ws: string;
  readonly plan: LinkPlan;
  readonly onPlan: (changes: Partial<LinkPlan>) => void;
}

function PlanFields({ ws, plan, onPlan }: PlanFieldsProps) {
  const channels = useChannelChoice(ws) ?? [];
  return (
    <>
      <TextField
        label="Name"
        hint="Optional. Tells your links apart; the customer does not see it."
        maxLength={200}
        isFirst
        value={plan.name}
        onValue={(name) => onPlan({ name })}
      />
      <CheckboxGroup
        legend="Rights"
        hint="Channels are always shown."
        options={rightLabels}
        values={plan.rights}
        onValues={(rights) => onPlan({ rights })}
      />
      <CheckboxGroup
        legend="Channels"
        hint="Choose none to show all channels, later ones included."
        options={channels.map(({ id, displayName }) => [id, displayName] as const)}
        values={plan.channelIds}
        onValues={(channelIds) => onPlan({ channelIds })}
      />
      <SelectField
        label="Ends after"
        value={plan.lifetime}
        options={lifetimes}
        onValue={(lifetime) => onPlan({ lifetime })}
      />
    </>
  );
}
