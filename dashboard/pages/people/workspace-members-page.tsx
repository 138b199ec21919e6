import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
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
  workspaceRoleWords,
} from './member-columns.tsx';

/** Who works in a workspace. The organization's admins do, whether or not they are listed. */
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
  const add = organizationRole === 'admin' && (
    <Button tone="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" /> Add a person
    </Button>
  );
  return (
    <>
      <PageHeader title="Members of the workspace" windowTitle={`Members of ${name}`} actions={add}>
        {`People who work in ${name}. Developers may see tokens and secrets, and admins change everything. Admins of the organization reach it in any case.`}
      </PageHeader>
      <MemberTable ws={ws} pages={pages} mayManage={role === 'admin'} onChanged={refresh} add={add} />
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
      toast(`${member.email} is ${role === 'admin' ? 'an admin' : `a ${role}`} of the workspace now.`);
    } finally {
      await onChanged();
    }
  });
  const roleColumn: Column<Member> = {
    head: 'Role',
    cell: (member) =>
      mayManage ? (
        <RoleSelect member={member} words={workspaceRoleWords} onRole={(role) => void change.run(member, role)} />
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
        caption="Members of the workspace"
        columns={[...personColumns, roleColumn, ...(mayManage ? [removeColumn] : [])]}
        keyOf={({ userId }) => userId}
        one="person"
        many="people"
        empty={
          <EmptyState title="Nobody is listed here" action={add}>
            The organization's admins reach this workspace without being in it. Add a member of the organization, or
            invite somebody new to both at once.
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
      title={`Remove ${member.email} from the workspace?`}
      submit="Remove"
      onConfirm={async () => {
        await api.delete('/workspaces/{ws}/members/{usr}', { params: { path: { ws, usr: member.userId } } });
        toast(`${member.email} is out of the workspace.`);
        await onDone();
      }}
      onClose={onClose}
    >
      <p>They stay in the organization and in its other workspaces.</p>
    </ConfirmDialog>
  );
}
