import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { List } from '../../kit/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import type { Column } from '../../kit/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/use-action.ts';
import { usePages } from '../../kit/use-pages.ts';
import { api } from '../../shell/api.ts';
import { useOrganization } from '../../shell/page-outlet.tsx';
import { organizationPath } from '../../shell/paths.ts';
import { navigate } from '../../shell/router.ts';
import { loadSession } from '../../shell/session.ts';
import { isMe, type Member, personColumns, type Role, RoleSelect } from './member-columns.tsx';

/** The people of an organization and their roles. */
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
      toast(`${member.email} is ${role === 'admin' ? 'an admin' : 'a member'} now.`);
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
            Invite people
          </a>
        }
      >
        Admins reach every workspace and manage people, keys and onboarding links. Members reach the workspaces that
        they are in.
      </PageHeader>
      <ErrorBox error={change.error} />
      <List
        pages={pages}
        caption={`Members of ${name}`}
        columns={[...personColumns, roleColumn(change.run), removeColumn(setRemoved)]}
        keyOf={({ userId }) => userId}
        one="person"
        many="people"
        empty={null}
      />
      {removed && <RemoveDialog org={org} member={removed} onDone={pages.reload} onClose={() => setRemoved(null)} />}
    </>
  );
}

const roleColumn = (change: (member: Member, role: Role) => Promise<unknown>): Column<Member> => ({
  head: 'Role',
  cell: (member) => <RoleSelect member={member} onRole={(role) => void change(member, role)} />,
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

interface RemoveDialogProps {
  readonly org: string;
  readonly member: Member;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function RemoveDialog({ org, member, onDone, onClose }: RemoveDialogProps) {
  const { email, userId } = member;
  const isOwn = isMe(member);
  return (
    <ConfirmDialog
      title={isOwn ? 'Leave the organization?' : `Remove ${email}?`}
      submit={isOwn ? 'Leave' : 'Remove'}
      onConfirm={async () => {
        await api.delete('/organizations/{org}/members/{usr}', { params: { path: { org, usr: userId } } });
        toast(`${email} is no member any more.`);
        if (!isOwn) return await onDone();
        await loadSession();
        navigate('/app');
      }}
      onClose={onClose}
    >
      <p>
        {isOwn ? 'You lose' : 'They lose'} the organization and all of its workspaces at once, and the keys of{' '}
        {isOwn ? 'your' : 'their'} agents end. API keys that {isOwn ? 'you' : 'they'} made stay.
      </p>
    </ConfirmDialog>
  );
}
