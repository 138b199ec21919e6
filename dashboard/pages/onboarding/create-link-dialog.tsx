import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { CopyableLine } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useAction } from '../../kit/use-action.ts';
import { api } from '../../shell/api.ts';
import { WorkspaceField } from '../workspaces/workspace-field.tsx';
import { LABEL_HINT, type LinkDialogProps, TARGET_HINT, TARGET_NONE } from './link-dialogs.tsx';

type Link = Schema<'OnboardingLink'>;

const channelTypes = [
  ['chatapp', 'chatapp: a number'],
  ['photoapp', 'photoapp: an account'],
  ['pageapp', 'pageapp: a Page'],
] as const satisfies readonly (readonly [Link['channelType'], string])[];

/** Makes a link, then shows its address. */
export function CreateLinkDialog({ org, onChanged, onClose }: LinkDialogProps) {
  const [label, setLabel] = useState('');
  const [channelType, setChannelType] = useState<Link['channelType']>('chatapp');
  const [workspaceId, setWorkspaceId] = useState('');
  const [created, setCreated] = useState<Link | null>(null);
  const action = useAction(async () => {
    const body = { label, channelType, workspaceId: workspaceId === '' ? null : workspaceId };
    setCreated(await api.post('/organizations/{org}/onboarding-links', { params: { path: { org } }, body }));
    await onChanged();
  });
  if (created) {
    return (
      <Dialog key="created" title={`${created.label} is ready`} onClose={onClose}>
        <NewAddress url={created.url ?? ''} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog key="new" title="New onboarding link" onClose={onClose}>
      <Form action={action} submit="Create link" onCancel={onClose}>
        <TextField label="Label" hint={LABEL_HINT} required maxLength={200} isFirst value={label} onValue={setLabel} />
        <SelectField label="Connects" value={channelType} options={channelTypes} onValue={setChannelType} />
        <WorkspaceField
          org={org}
          label="Leads to"
          hint={TARGET_HINT}
          none={TARGET_NONE}
          value={workspaceId}
          onValue={setWorkspaceId}
        />
      </Form>
    </Dialog>
  );
}

function NewAddress({ url, onDone }: { readonly url: string; readonly onDone: () => void }) {
  return (
    <>
      <div class="prose">
        <p>Send this address to the customer. Whoever has it can connect an account until the link is revoked.</p>
        <CopyableLine text={url} what="the address" />
      </div>
      <div class="form-actions">
        <Button tone="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}
