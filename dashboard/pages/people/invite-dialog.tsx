import { useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { type Role, roleWords, type WorkspaceRole, workspaceRoleWords } from './member-columns.tsx';
import { WorkspaceField } from '../organizations/workspace-field.tsx';

interface InviteDialogProps {
  readonly org: string;
  readonly onInvited: () => Promise<void>;
  readonly onClose: () => void;
}

export function InviteDialog({ org, onInvited, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [workspaceId, setWorkspaceId] = useState('');
  const [workspaceRole, setWorkspaceRole] = useState<WorkspaceRole>('member');
  const action = useAction(async () => {
    const body = { email: email.trim(), role, ...(workspaceId !== '' && { workspaceId, workspaceRole }) };
    await api.post('/organizations/{org}/invitations', { params: { path: { org } }, body });
    toast(`The invitation to ${body.email} is sent.`);
    await onInvited();
    onClose();
  });
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <Form action={action} submit="Send invitation" onCancel={onClose}>
        <TextField label="E-mail address" type="email" required isFirst value={email} onValue={setEmail} />
        <SelectField
          label="Role in the organization"
          hint={
            role === 'admin'
              ? 'Reaches every workspace, and manages people, keys and onboarding links.'
              : 'Reaches only the workspaces that the person is made a member of.'
          }
          value={role}
          options={roleWords}
          onValue={setRole}
        />
        <WorkspaceField org={org} label="Workspace" none="None for now" value={workspaceId} onValue={setWorkspaceId} />
        {workspaceId !== '' && (
          <SelectField
            label="Role in the workspace"
            hint="Developers may also see tokens and secrets of channels."
            value={workspaceRole}
            options={workspaceRoleWords}
            onValue={setWorkspaceRole}
          />
        )}
      </Form>
    </Dialog>
  );
}
