import type { Schema } from '../../../client/create-client.ts';
import { type PortalRight, wholeRights } from '../../../contract/identity/portal.ts';
import { useAction, usePages } from '../../kit/calls.ts';
import { FormDialog, SecretDialog, useDialog } from '../../kit/dialogs.tsx';
import { CheckboxGroup, SelectField, TextField, useFields } from '../../kit/forms.tsx';
import { actionColumn, type Column, List } from '../../kit/lists.tsx';
import { Badge, CreateButton, ErrorBox, Panel, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { useChannelChoice } from '../channels/use-channels.ts';

export function PortalLinkPanel({ workspaceId: ws }: { readonly workspaceId: string }) {
  const dialog = useDialog();
  const pages = usePages(['portalLinks', ws], (query) =>
    api.get('/workspaces/{ws}/portal-links', { params: { path: { ws }, query } }),
  );
  const revoke = useAction(async (ptl: string) => {
    await api.delete('/workspaces/{ws}/portal-links/{ptl}', { params: { path: { ws, ptl } } });
    toast('Portal link revoked.');
  });
  const showUrl = (url: string) =>
    dialog.open((close) => (
      <SecretDialog title="Portal link created" secret={url} what="portal link" onClose={close}>
        Copy the link now; it isn't shown again. Anyone who has it can use its rights until it ends.
      </SecretDialog>
    ));
  const create = (
    <CreateButton
      small
      onClick={() => dialog.open((close) => <CreateDialog ws={ws} onCreated={showUrl} onClose={close} />)}
    >
      Create portal link
    </CreateButton>
  );
  return (
    <Panel title="Portal links" actions={create}>
      <p>Short-lived links to a page that shows one customer their channels, with the rights that you choose.</p>
      <ErrorBox error={revoke.error} />
      <List
        pages={pages}
        caption="Portal links"
        columns={[
          ...columns,
          actionColumn<Schema<'PortalLink'>>(
            ({ portalLinkId, name }) => name ?? portalLinkId,
            ({ portalLinkId, status }) => [status === 'active' && ['Revoke', () => revoke.run(portalLinkId)]],
          ),
        ]}
        keyOf={({ portalLinkId }) => portalLinkId}
        one="link"
        empty={<p class="soft">No links in the last week.</p>}
      />
      {dialog.shown}
    </Panel>
  );
}

const tones = { active: 'good', expired: 'neutral', revoked: 'neutral' } as const;

const columns: readonly Column<Schema<'PortalLink'>>[] = [
  {
    head: 'Link',
    isWide: true,
    cell: ({ portalLinkId, name }) => (
      <>
        {name !== null && <span class="line">{name}</span>}
        <code>{portalLinkId}</code>
      </>
    ),
  },
  { head: 'Status', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  { head: 'Rights', cell: ({ rights }) => rights.map((right) => <code class="line">{right}</code>) },
  { head: 'Opened', align: 'end', cell: ({ useCount }) => useCount },
  { head: 'Ends', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
];

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

interface LinkPlan {
  readonly name: string;
  readonly rights: readonly PortalRight[];
  /** Empty for all channels. */
  readonly channelIds: readonly string[];
  readonly lifetime: (typeof lifetimes)[number][0];
}

interface CreateDialogProps {
  readonly ws: string;
  readonly onCreated: (url: string) => void;
  readonly onClose: () => void;
}

function CreateDialog({ ws, onCreated, onClose }: CreateDialogProps) {
  const { fields, bind } = useFields<LinkPlan>({
    name: '',
    channelIds: [],
    lifetime: '3600',
    rights: ['deliveries.read', 'subscriptions.read'],
  });
  const channels = useChannelChoice(ws) ?? [];
  const act = async () => {
    const { name, rights, channelIds, lifetime } = fields;
    const body = {
      rights: wholeRights(rights),
      expiresIn: Number(lifetime),
      ...(name.trim() !== '' && { name }),
      ...(channelIds.length > 0 && { channelIds: [...channelIds] }),
    };
    onCreated((await api.post('/workspaces/{ws}/portal-links', { params: { path: { ws } }, body })).url);
  };
  return (
    <FormDialog title="Create portal link" submit="Create link" act={act} onClose={onClose}>
      <TextField
        label="Name"
        hint="Optional. Tells your links apart; the customer does not see it."
        maxLength={200}
        isFirst
        {...bind('name')}
      />
      <CheckboxGroup legend="Rights" hint="Channels are always shown." options={rightLabels} {...bind('rights')} />
      <CheckboxGroup
        legend="Channels"
        hint="Choose none to show all channels, later ones included."
        options={channels.map(({ id, displayName }) => [id, displayName] as const)}
        {...bind('channelIds')}
      />
      <SelectField label="Ends after" options={lifetimes} {...bind('lifetime')} />
    </FormDialog>
  );
}
