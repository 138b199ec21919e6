import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { loadSession } from '../../session/session.ts';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { isMe, type Member, personColumns, type Role, RoleSelect, roleLabels } from './member-columns.tsx';

export function Page() {
  const { organizationId: org, name } = useOrganization();
  const [removed, setRemoved] = useState<Member | null>(null);
  const pages = usePages(
    async (cursor) => {
      const params = { path: { org }, query: { ...(cursor !== undefined && { cursor }) } };
      const { members, nextCursor } = await api.get('/organizations/{org}/members', { params });
      return { items: members, nextCursor };
    },
    [org],
  );
  const change = useAction(async (member: Member, role: Role) => {
    const params = { path: { org, usr: member.userId } };
    try {
      await api.patch('/organizations/{org}/members/{usr}', { params, body: { role } });
      toast(`${member.email} is now ${role === 'admin' ? 'an admin' : 'a member'}.`);
    } finally {
      if (isMe(member)) await loadSession();
      await pages.reload();
    }
  });
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          <a class="button primary" href={organizationPath(org, 'invitations')}>
            Invite members
          </a>
        }
      >
        Admins can access every workspace and manage members, keys and onboarding links. Members can access only the
        workspaces that they belong to.
      </PageHeader>
      <ErrorBox error={change.error} />
      <List
        pages={pages}
        caption={`Members of ${name}`}
        columns={[...personColumns, roleColumn(change.run), removeColumn(setRemoved)]}
        keyOf={({ userId }) => userId}
        one="member"
        many="members"
        empty={null}
      />
      {removed && (
        <RemoveMemberDialog org={org} member={removed} onDone={pages.reload} onClose={() => setRemoved(null)} />
      )}
    </>
  );
}

const roleColumn = (change: (member: Member, role: Role) => Promise<unknown>): Column<Member> => ({
  head: 'Role',
  cell: (member) => <RoleSelect member={member} words={roleLabels} onRole={(role) => void change(member, role)} />,
});

const removeColumn = (remove: (member: Member) => void): Column<Member> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: (member) => (
    <Button
      small
      tone="quiet"
      aria-label={isMe(member) ? 'Leave' : `Remove ${member.email}`}
      onClick={() => remove(member)}
    >
      {isMe(member) ? 'Leave' : 'Remove'}
    </Button>
  ),
});
