import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, type CreateTone } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { type Pages, usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { refreshWorkspace } from '../../session/current-workspace.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { AddMemberDialog } from './add-member-dialog.tsx';
import {
  isMe,
  personColumns,
  RoleSelect,
  type WorkspaceMember as Member,
  type WorkspaceRole as Role,
  workspaceRoleLabels,
} from './member-columns.tsx';

/** Organization admins have access without being listed. */
export function Page() {
  const { role: organizationRole, organizationId } = useOrganization();
  const { id: ws, name, role } = useWorkspace();
  const [isAdding, setAdding] = useState(false);
  const pages = usePages(
    async (cursor) => {
      const params = { path: { ws }, query: { ...(cursor !== undefined && { cursor }) } };
      const { members, nextCursor } = await api.get('/workspaces/{ws}/members', { params });
      return { items: members, nextCursor };
    },
    [ws],
  );
  const refresh = async () => void (await Promise.all([pages.reload(), refreshWorkspace()]));
  const add = (tone: CreateTone) =>
    organizationRole === 'admin' && (
      <Button tone={tone} onClick={() => setAdding(true)}>
        <Icon name="plus" /> Add member
      </Button>
    );
  return (
    <>
      <PageHeader title="Workspace members" windowTitle={`Members · ${name}`} actions={add('primary')}>
        {`Members of ${name}. Developers can also see tokens and secrets, and admins can change everything. Organization admins always have access.`}
      </PageHeader>
      <MemberTable ws={ws} pages={pages} mayManage={role === 'admin'} onChanged={refresh} add={add('plain')} />
      {isAdding && (
        <AddMemberDialog
          organizationId={organizationId}
          ws={ws}
          onAdded={() => {
            setAdding(false);
            void refresh();
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

interface MemberTableProps {
  readonly ws: string;
  readonly pages: Pages<Member>;
  readonly mayManage: boolean;
  readonly onChanged: () => Promise<void>;
  readonly add: ComponentChildren;
}

function MemberTable({ ws, pages, mayManage, onChanged, add }: MemberTableProps) {
  const [removed, setRemoved] = useState<Member | null>(null);
  const change = useAction(async (member: Member, role: Role) => {
    const params = { path: { ws, usr: member.userId } };
    try {
      await api.put('/workspaces/{ws}/members/{usr}', { params, body: { role } });
      toast(`${member.email} is now ${role === 'admin' ? 'an admin' : `a ${role}`} of the workspace.`);
    } finally {
      await onChanged();
    }
  });
  const roleColumn: Column<Member> = {
    head: 'Role',
    cell: (member) =>
      mayManage ? (
        <RoleSelect member={member} words={workspaceRoleLabels} onRole={(role) => void change.run(member, role)} />
      ) : (
        member.role
      ),
  };
  const removeColumn: Column<Member> = {
    head: 'Actions',
    isHeadHidden: true,
    align: 'end',
    cell: (member) => (
      <Button small tone="quiet" aria-label={`Remove ${member.email}`} onClick={() => setRemoved(member)}>
        {isMe(member) ? 'Leave' : 'Remove'}
      </Button>
    ),
  };
  return (
    <>
      <ErrorBox error={change.error} />
      <List
        pages={pages}
        caption="Workspace members"
        columns={[...personColumns, roleColumn, ...(mayManage ? [removeColumn] : [])]}
        keyOf={({ userId }) => userId}
        one="member"
        many="members"
        empty={
          <EmptyState title="No members yet" action={add}>
            Organization admins can access this workspace without being members. Add a member of the organization, or
            invite someone new to both.
          </EmptyState>
        }
      />
      {removed && <RemoveDialog ws={ws} member={removed} onDone={onChanged} onClose={() => setRemoved(null)} />}
    </>
  );
}

interface RemoveDialogProps {
  readonly ws: string;
  readonly member: Member;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function RemoveDialog({ ws, member, onDone, onClose }: RemoveDialogProps) {
  return (
    <ConfirmDialog
      title={`Remove ${member.email} from this workspace?`}
      submit="Remove member"
      onConfirm={async () => {
        await api.delete('/workspaces/{ws}/members/{usr}', { params: { path: { ws, usr: member.userId } } });
        toast(`${member.email} removed from the workspace.`);
        await onDone();
      }}
      onClose={onClose}
    >
      <p>They stay in the organization and its other workspaces.</p>
    </ConfirmDialog>
  );
}
