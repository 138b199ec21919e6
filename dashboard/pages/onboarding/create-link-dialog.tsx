import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { SecretDialog } from '../../kit/dialogs/secret-dialog.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import type { LinkDialogProps } from './link-dialogs.tsx';
import { linkBodyOf, LinkFieldRows } from './link-fields.tsx';

type Link = Schema<'OnboardingLink'>;

const channelTypes = [
  ['chatapp', 'chatapp: a number'],
  ['photoapp', 'photoapp: an account'],
  ['pageapp', 'pageapp: a Page'],
] as const satisfies readonly (readonly [Link['channelType'], string])[];

/** Makes a link, then shows its address. */
export function CreateLinkDialog({ org, onChanged, onClose }: LinkDialogProps) {
  const [fields, setFields] = useState({ label: '', workspaceId: '' });
  const [channelType, setChannelType] = useState<Link['channelType']>('chatapp');
  const [created, setCreated] = useState<Link | null>(null);
  const action = useAction(async () => {
    const body = { ...linkBodyOf(fields), channelType };
    setCreated(await api.post('/organizations/{org}/onboarding-links', { params: { path: { org } }, body }));
    await onChanged();
  });
  if (created) {
    const title = `${created.label} is ready`;
    return (
      <SecretDialog key="created" title={title} secret={created.url ?? ''} what="the address" onClose={onClose}>
        Send this address to the customer. Whoever has it can connect an account until the link is revoked.
      </SecretDialog>
    );
  }
  return (
    <Dialog key="new" title="New onboarding link" onClose={onClose}>
      <Form action={action} submit="Create link" onCancel={onClose}>
        <LinkFieldRows org={org} fields={fields} onFields={setFields}>
          <SelectField label="Connects" value={channelType} options={channelTypes} onValue={setChannelType} />
        </LinkFieldRows>
      </Form>
    </Dialog>
  );
}
