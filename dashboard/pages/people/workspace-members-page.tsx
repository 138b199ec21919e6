import { useState } from 'preact/hooks';
import { everyRecord } from '../../../client/pages.ts';
import { reloadingOnFailure, useAction, useLoad, usePages } from '../../kit/calls.ts';
import { Dialog, useDialog } from '../../kit/dialogs.tsx';
import { Form, SelectField } from '../../kit/forms.tsx';
import { actionColumn, type Column, ListPage } from '../../kit/lists.tsx';
import { CreateButton, EmptyState, ErrorBox, WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { api } from '../../session/api.ts';
import { refreshWorkspace } from '../../session/current-workspace.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import {
  isMe,
  type Member as OrganizationMember,
  personColumns,
  RoleSelect,
  type WorkspaceMember as Member,
  type WorkspaceRole as Role,
  workspaceRoleLabels,
} from './member-columns.tsx';

/** Organization admins have access without being listed. */
export function Page() {
  const { role: organizationRole, organizationId: org } = useOrganization();
  const { id: ws, name, role: ownRole } = useWorkspace();
  const mayManage = ownRole === 'admin';
  const dialog = useDialog();
  const pages = usePages(['members', ws], (query) =>
    api.get('/workspaces/{ws}/members', { params: { path: { ws }, query } }),
  );
  const change = useAction(async ({ member, role }: { readonly member: Member; readonly role: Role }) => {
    const params = { path: { ws, usr: member.userId } };
    await reloadingOnFailure(() => api.put('/workspaces/{ws}/members/{usr}', { params, body: { role } }));
    toast(`${member.email} is now ${role === 'admin' ? 'an admin' : `a ${role}`} of the workspace.`);
    await refreshWorkspace();
  });
  const add = (tone: 'primary' | 'plain') =>
    organizationRole === 'admin' && (
      <CreateButton
        tone={tone}
        onClick={() => dialog.open((close) => <AddMemberDialog org={org} ws={ws} onClose={close} />)}
      >
        Add member
      </CreateButton>
    );
  const remove = (member: Member) =>
    dialog.confirm({
      title: `Remove ${member.email} from this workspace?`,
      submit: 'Remove member',
      about: 'They stay in the organization and its other workspaces.',
      act: async () => {
        await api.delete('/workspaces/{ws}/members/{usr}', { params: { path: { ws, usr: member.userId } } });
        await refreshWorkspace();
      },
      done: `${member.email} removed from the workspace.`,
    });
  const roleColumn: Column<Member> = {
    head: 'Role',
    cell: (member) =>
      mayManage ? (
        <RoleSelect member={member} options={workspaceRoleLabels} onRole={(role) => change.run({ member, role })} />
      ) : (
        member.role
      ),
  };
  const actions = actionColumn<Member>(
    ({ email }) => email,
    (member) => [[isMe(member) ? 'Leave' : 'Remove', () => remove(member), `Remove ${member.email}`]],
  );
  return (
    <>
      <ListPage
        title="Workspace members"
        windowTitle={`Workspace members · ${name}`}
        about={`Members of ${name}. Developers can also see tokens and secrets, and admins can change everything. Organization admins always have access.`}
        actions={add('primary')}
        filters={<ErrorBox error={change.error} />}
        pages={pages}
        columns={[...personColumns, roleColumn, ...(mayManage ? [actions] : [])]}
        keyOf={({ userId }) => userId}
        one="member"
        empty={
          <EmptyState title="No members yet" action={add('plain')}>
            Organization admins can access this workspace without being members. Add a member of the organization, or
            invite someone new to both.
          </EmptyState>
        }
      />
      {dialog.shown}
    </>
  );
}

interface AddMemberProps {
  readonly org: string;
  readonly ws: string;
  readonly onClose: () => void;
}

function AddMemberDialog({ org, ws, onClose }: AddMemberProps) {
  const candidates = useLoad(['candidates', org, ws], () => candidatesFor(org, ws), { isOnce: true });
  return (
    <Dialog title="Add member" onClose={onClose}>
      <WhenLoaded of={candidates}>
        {(found) =>
          found.length === 0 ? (
            <p>Everyone in the organization is already a member of this workspace.</p>
          ) : (
            <AddForm ws={ws} candidates={found} onClose={onClose} />
          )
        }
      </WhenLoaded>
      <p class="hint" onClick={onClose}>
        Someone new? <a href={organizationPath(org, 'invitations')}>Invite them</a> to the organization and this
        workspace.
      </p>
    </Dialog>
  );
}

interface AddFormProps extends Omit<AddMemberProps, 'org'> {
  readonly candidates: readonly OrganizationMember[];
}

function AddForm({ ws, candidates, onClose }: AddFormProps) {
  const [userId, setUserId] = useState(candidates[0]!.userId);
  const [role, setRole] = useState<Role>('member');
  const add = async () => {
    const params = { path: { ws, usr: userId } };
    const { email } = await api.put('/workspaces/{ws}/members/{usr}', { params, body: { role } });
    toast(`${email} added to the workspace.`);
    await refreshWorkspace();
  };
  return (
    <Form act={add} onDone={onClose} submit="Add member" onCancel={onClose}>
      <SelectField
        label="Member"
        value={userId}
        options={candidates.map((member) => [member.userId, member.email] as const)}
        onValue={setUserId}
      />
      <SelectField label="Workspace role" value={role} options={workspaceRoleLabels} onValue={setRole} />
    </Form>
  );
}

async function candidatesFor(org: string, ws: string): Promise<OrganizationMember[]> {
  const pageQuery = (cursor: string | undefined) => ({ limit: 100, ...(cursor !== undefined && { cursor }) });
  const existing = await everyRecord(
    (cursor) => api.get('/workspaces/{ws}/members', { params: { path: { ws }, query: pageQuery(cursor) } }),
    ({ members }) => members,
  );
  const known = new Set(existing.map(({ userId }) => userId));
  const all = await everyRecord(
    (cursor) => api.get('/organizations/{org}/members', { params: { path: { org }, query: pageQuery(cursor) } }),
    ({ members }) => members,
  );
  return all.filter(({ userId }) => !known.has(userId));
}
