import type { Schema } from '../../../client/create-client.ts';
import { Select } from '../../kit/forms.tsx';
import type { Column } from '../../kit/lists.tsx';
import { Badge, RelativeTime } from '../../kit/parts.tsx';
import { person } from '../../session/session-state.ts';

export type Member = Schema<'Member'>;
export type Role = Member['role'];
export type WorkspaceMember = Schema<'WorkspaceMember'>;
export type WorkspaceRole = WorkspaceMember['role'];

export const roleLabels: readonly (readonly [Role, string])[] = [
  ['member', 'Member'],
  ['admin', 'Admin'],
];
export const workspaceRoleLabels: readonly (readonly [WorkspaceRole, string])[] = [
  ['member', 'Member'],
  ['developer', 'Developer'],
  ['admin', 'Admin'],
];

export const isMe = ({ userId }: WorkspaceMember): boolean => person.value?.user.id === userId;

export const personColumns: readonly [Column<WorkspaceMember>, Column<WorkspaceMember>] = [
  {
    head: 'Member',
    isWide: true,
    cell: (member) => (
      <>
        {member.email} {isMe(member) && <Badge>you</Badge>}
      </>
    ),
  },
  { head: 'Joined', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

interface RoleSelectProps<RoleOption extends WorkspaceRole> {
  readonly member: WorkspaceMember & { readonly role: RoleOption };
  readonly options: readonly (readonly [RoleOption, string])[];
  readonly onRole: (role: RoleOption) => void;
}

/** Changes a role immediately. The caller restores it if the API refuses. */
export function RoleSelect<RoleOption extends WorkspaceRole>(props: RoleSelectProps<RoleOption>) {
  const { member, options, onRole } = props;
  return (
    <Select
      class="small"
      aria-label={`Role of ${member.email}`}
      value={member.role}
      options={options}
      onValue={onRole}
    />
  );
}
