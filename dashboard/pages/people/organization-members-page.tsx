import { reloadingOnFailure, useAction, usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { actionColumn, type Column, ListPage } from '../../kit/lists.tsx';
import { ErrorBox } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { loadSession } from '../../session/session.ts';
import { isMe, type Member, personColumns, type Role, roleLabels, RoleSelect } from './member-columns.tsx';
import { PeopleTabs } from './people-tabs.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { RotatedDialog } from './secrets.tsx';

export function Page() {
  const { organizationId: org, name } = useOrganization();
  const dialog = useDialog();
  const pages = usePages(['members', org], (query) =>
    api.get('/organizations/{org}/members', { params: { path: { org }, query } }),
  );
  const change = useAction(async ({ member, role }: { readonly member: Member; readonly role: Role }) => {
    const params = { path: { org, usr: member.userId } };
    await reloadingOnFailure(() => api.patch('/organizations/{org}/members/{usr}', { params, body: { role } }));
    toast(`${member.email} is now ${role === 'admin' ? 'an admin' : 'a member'}.`);
    if (isMe(member)) await loadSession();
  });
  const remove = (member: Member) =>
    dialog.open((close) => (
      <RemoveMemberDialog
        org={org}
        member={member}
        onRotated={(rotations) =>
          dialog.open((closeRotated) => <RotatedDialog rotations={rotations} onClose={closeRotated} />)
        }
        onClose={close}
      />
    ));
  const roleColumn: Column<Member> = {
    head: 'Role',
    cell: (member) => (
      <RoleSelect member={member} options={roleLabels} onRole={(role) => change.run({ member, role })} />
    ),
  };
  return (
    <>
      <ListPage
        title="People"
        about="Admins can access every workspace and manage members, keys and onboarding links. Members can access only the workspaces that they belong to."
        actions={
          <a class="button primary" href={organizationPath(org, 'invitations')}>
            Invite members
          </a>
        }
        filters={
          <>
            <PeopleTabs org={org} />
            <ErrorBox error={change.error} />
          </>
        }
        pages={pages}
        caption={`Members of ${name}`}
        columns={[
          ...personColumns,
          roleColumn,
          actionColumn<Member>(
            ({ email }) => email,
            (member) => [isMe(member) ? ['Leave', () => remove(member), 'Leave'] : ['Remove', () => remove(member)]],
          ),
        ]}
        keyOf={({ userId }) => userId}
        one="member"
        empty={null}
      />
      {dialog.shown}
    </>
  );
}
