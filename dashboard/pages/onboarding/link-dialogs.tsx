import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { CopyableLine } from '../../kit/copyable.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { fieldsOf, linkBodyOf, LinkFieldRows } from './link-fields.tsx';

export interface LinkDialogProps {
  readonly org: string;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

interface ExistingLinkProps extends LinkDialogProps {
  readonly link: Schema<'OnboardingLink'>;
}

export function EditLinkDialog({ org, link, onChanged, onClose }: ExistingLinkProps) {
  const [fields, setFields] = useState(fieldsOf(link));
  const action = useAction(async () => {
    const params = { path: { org, ol: link.onboardingLinkId } };
    await api.patch('/organizations/{org}/onboarding-links/{ol}', { params, body: linkBodyOf(fields) });
    toast(`${fields.label} saved.`);
    await onChanged();
    onClose();
  });
  return (
    <Dialog title="Edit link" onClose={onClose}>
      <Form action={action} submit="Save" onCancel={onClose}>
        <LinkFieldRows org={org} fields={fields} onFields={setFields} />
        {link.notificationSecret && <CopyableLine text={link.notificationSecret} what="notification secret" />}
        <LastNotification link={link} />
      </Form>
    </Dialog>
  );
}

function LastNotification({ link: { lastNotification: last } }: Pick<ExistingLinkProps, 'link'>) {
  if (last === null) return null;
  const answer = last.lastStatus === null ? 'without an answer' : `with HTTP ${last.lastStatus}`;
  return (
    <p>
      Last notification, for {last.channelId}: {last.state}
      {last.attemptCount > 0 && ` after ${last.attemptCount} attempts, the last ${answer}`}.
    </p>
  );
}

export function RegenerateLinkDialog({ org, link, onChanged, onClose }: ExistingLinkProps) {
  const params = { path: { org, ol: link.onboardingLinkId } };
  return (
    <ConfirmDialog
      title={`Regenerate ${link.label}?`}
      submit="Regenerate link"
      tone="primary"
      onConfirm={async () => {
        await api.post('/organizations/{org}/onboarding-links/{ol}/regenerate', { params });
        toast(`${link.label} has a new URL.`);
        await onChanged();
      }}
      onClose={onClose}
    >
      <p>
        The old URL stops working immediately. Copy the new one from the list and send it to anyone who still needs it.
      </p>
    </ConfirmDialog>
  );
}

export function RevokeLinkDialog({ org, link, onChanged, onClose }: ExistingLinkProps) {
  const params = { path: { org, ol: link.onboardingLinkId } };
  return (
    <ConfirmDialog
      title={`Revoke ${link.label}?`}
      submit="Revoke link"
      onConfirm={async () => {
        await api.delete('/organizations/{org}/onboarding-links/{ol}', { params });
        toast(`${link.label} revoked.`);
        await onChanged();
      }}
      onClose={onClose}
    >
      <p>
        The link stops working immediately, also for customers who are connecting an account right now. Channels that
        are already connected stay connected. You can't undo this.
      </p>
    </ConfirmDialog>
  );
}
