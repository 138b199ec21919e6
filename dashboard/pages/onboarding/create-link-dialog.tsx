import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { SecretDialog } from '../../kit/dialogs/secret-dialog.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import type { LinkDialogProps } from './link-dialogs.tsx';
import { fieldsOf, linkBodyOf, LinkFieldRows } from './link-fields.tsx';

type Link = Schema<'OnboardingLink'>;

const channelTypes = [
  ['chatapp', 'chatapp: phone number'],
  ['photoapp', 'photoapp: account'],
  ['pageapp', 'pageapp: Page'],
] as const satisfies readonly (readonly [Link['channelType'], string])[];

export function CreateLinkDialog({ org, onChanged, onClose }: LinkDialogProps) {
  const [fields, setFields] = useState(fieldsOf(null));
  const [channelType, setChannelType] = useState<Link['channelType']>('chatapp');
  const [created, setCreated] = useState<Link | null>(null);
  const action = useAction(async () => {
    const body = { ...linkBodyOf(fields), channelType };
    setCreated(await api.post('/organizations/{org}/onboarding-links', { params: { path: { org } }, body }));
    await onChanged();
  });
  if (created) {
    const title = 'Onboarding link created';
    return (
      <SecretDialog key="created" title={title} secret={created.url ?? ''} what="link" onClose={onClose}>
        Send this link to the customer. Anyone who has it can connect an account while it is active.
      </SecretDialog>
    );
  }
  return (
    <Dialog key="new" title="Create onboarding link" onClose={onClose}>
      <Form action={action} submit="Create link" onCancel={onClose}>
        <LinkFieldRows org={org} fields={fields} onFields={setFields}>
          <SelectField label="Channel type" value={channelType} options={channelTypes} onValue={setChannelType} />
        </LinkFieldRows>
      </Form>
    </Dialog>
  );
}
