import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { FormDialog, useDialog } from '../../kit/dialogs.tsx';
import { SelectField, TextField, useFields } from '../../kit/forms.tsx';
import { actionColumn, type Column, ListPage } from '../../kit/lists.tsx';
import { Badge, CreateButton, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import type { Tone } from '../../kit/tone.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceField } from '../organizations/workspace-field.tsx';
import { WorkspaceLink } from '../../session/workspace-link.tsx';
import { type Role, roleLabels, type WorkspaceRole, workspaceRoleLabels } from './member-columns.tsx';
import { PeopleTabs } from './people-tabs.tsx';

type Invitation = Schema<'Invitation'>;

const tones: Readonly<Record<Invitation['status'], Tone>> = {
  open: 'info',
  accepted: 'good',
  revoked: 'neutral',
  expired: 'warn',
};

export function Page() {
  const { organizationId: org } = useOrganization();
  const dialog = useDialog();
  const pages = usePages(['invitations', org], (query) =>
    api.get('/organizations/{org}/invitations', { params: { path: { org }, query } }),
  );
  const openInvite = () => dialog.open((close) => <InviteDialog org={org} onClose={close} />);
  const revoke = ({ email, invitationId: inv }: Invitation) =>
    dialog.confirm({
      title: `Revoke the invitation for ${email}?`,
      submit: 'Revoke invitation',
      about: 'The link in the email stops working immediately. You can invite the person again.',
      act: () => api.delete('/organizations/{org}/invitations/{inv}', { params: { path: { org, inv } } }),
      done: `Invitation for ${email} revoked.`,
    });
  return (
    <>
      <ListPage
        title="Invitations"
        about="Invitations are sent by email. Each link works once, expires after seven days, and is valid only for that address."
        actions={
          <CreateButton tone="primary" onClick={openInvite}>
            Invite member
          </CreateButton>
        }
        filters={<PeopleTabs org={org} />}
        pages={pages}
        columns={[
          ...columns(org),
          actionColumn<Invitation>(
            ({ email }) => `invitation for ${email}`,
            (invitation) => [invitation.status === 'open' && ['Revoke', () => revoke(invitation)]],
          ),
        ]}
        keyOf={({ invitationId }) => invitationId}
        one="invitation"
        empty={
          <EmptyState
            title="No invitations yet"
            action={<CreateButton onClick={openInvite}>Invite member</CreateButton>}
          >
            People you invite become members of the organization, and of a workspace if you choose one.
          </EmptyState>
        }
      />
      {dialog.shown}
    </>
  );
}

const columns = (org: string): readonly Column<Invitation>[] => [
  { head: 'Email', isWide: true, cell: ({ email }) => email },
  { head: 'Role', cell: ({ role }) => role },
  {
    head: 'Workspace',
    cell: ({ workspaceId, workspaceRole }) =>
      workspaceId && (
        <span class="nowrap">
          <WorkspaceLink org={org} id={workspaceId} /> as {workspaceRole}
        </span>
      ),
  },
  { head: 'Status', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  { head: 'Sent', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Expires', cell: ({ status, expiresAt }) => status === 'open' && <RelativeTime at={expiresAt} /> },
];

function InviteDialog({ org, onClose }: { readonly org: string; readonly onClose: () => void }) {
  const { fields, bind } = useFields({
    email: '',
    workspaceId: '',
    role: 'member' as Role,
    workspaceRole: 'member' as WorkspaceRole,
  });
  const { role, workspaceId, workspaceRole } = fields;
  const invite = async () => {
    const email = fields.email.trim();
    const body = { email, role, ...(workspaceId !== '' && { workspaceId, workspaceRole }) };
    await api.post('/organizations/{org}/invitations', { params: { path: { org } }, body });
    toast(`Invitation sent to ${email}.`);
  };
  return (
    <FormDialog title="Invite member" submit="Send invitation" act={invite} onClose={onClose}>
      <TextField label="Email address" type="email" required isFirst {...bind('email')} />
      <SelectField
        label="Organization role"
        hint={
          role === 'admin'
            ? 'Can access every workspace and manage members, keys and onboarding links.'
            : 'Can access only the workspaces that they are added to.'
        }
        options={roleLabels}
        {...bind('role')}
      />
      <WorkspaceField org={org} label="Workspace" none="None" {...bind('workspaceId')} />
      {workspaceId !== '' && (
        <SelectField
          label="Workspace role"
          hint="Developers can also see channel tokens and secrets."
          options={workspaceRoleLabels}
          {...bind('workspaceRole')}
        />
      )}
    </FormDialog>
  );
}
