import { Badge } from '../../kit/badge.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import type { Schema } from '../../../client/create-client.ts';
import { person } from '../../session/session-state.ts';

export type Member = Schema<'Member'>;
export type Role = Member['role'];
export type WorkspaceMember = Schema<'WorkspaceMember'>;
export type WorkspaceRole = WorkspaceMember['role'];

export const roleWords: readonly (readonly [Role, string])[] = [
  ['member', 'Member'],
  ['admin', 'Admin'],
];
/** A developer may also see tokens and secrets. */
export const workspaceRoleWords: readonly (readonly [WorkspaceRole, string])[] = [
  ['member', 'Member'],
  ['developer', 'Developer'],
  ['admin', 'Admin'],
];

export const isMe = ({ userId }: WorkspaceMember): boolean => person.value?.user.id === userId;

/** Who it is and since when. */
export const personColumns: readonly [Column<WorkspaceMember>, Column<WorkspaceMember>] = [
  {
    head: 'Person',
    isWide: true,
    cell: (member) => (
      <>
        {member.email} {isMe(member) && <Badge>you</Badge>}
      </>
    ),
  },
  { head: 'Since', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

interface RoleSelectProps<Each extends WorkspaceRole> {
  readonly member: WorkspaceMember & { readonly role: Each };
  readonly words: readonly (readonly [Each, string])[];
  readonly onRole: (role: Each) => void;
}

/** Changes a role at once; what it was is put back where the service refuses. */
export function RoleSelect<Each extends WorkspaceRole>({ member, words: choices, onRole }: RoleSelectProps<Each>) {
  return (
    <select
      class="small"
      aria-label={`Role of ${member.email}`}
      value={member.role}
      onChange={({ currentTarget }) => {
        const chosen = choices.find(([role]) => role === currentTarget.value);
        if (chosen) onRole(chosen[0]);
      }}
    >
      {choices.map(([role, words]) => (
        <option key={role} value={role}>
          {words}
        </option>
      ))}
    </select>
  );
}
