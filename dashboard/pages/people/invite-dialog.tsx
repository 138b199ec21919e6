import { useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { type Role, roleLabels, type WorkspaceRole, workspaceRoleLabels } from './member-columns.tsx';
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
    toast(`Invitation sent to ${body.email}.`);
    await onInvited();
    onClose();
  });
  return (
    <Dialog title="Invite member" onClose={onClose}>
      <Form action={action} submit="Send invitation" onCancel={onClose}>
        <TextField label="Email address" type="email" required isFirst value={email} onValue={setEmail} />
        <SelectField
          label="Organization role"
          hint={
            role === 'admin'
              ? 'Can access every workspace and manage members, keys and onboarding links.'
              : 'Can access only the workspaces that they are added to.'
          }
          value={role}
          options={roleLabels}
          onValue={setRole}
        />
        <WorkspaceField org={org} label="Workspace" none="None" value={workspaceId} onValue={setWorkspaceId} />
        {workspaceId !== '' && (
          <SelectField
            label="Workspace role"
            hint="Developers can also see channel tokens and secrets."
            value={workspaceRole}
            options={workspaceRoleLabels}
            onValue={setWorkspaceRole}
          />
        )}
      </Form>
    </Dialog>
  );
}
