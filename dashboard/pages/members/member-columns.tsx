import { Badge } from '../../kit/badge.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/table.tsx';
import type { Schema } from '../../../client/create-client.ts';
import { person } from '../../shell/session-state.ts';

export type Member = Schema<'Member'>;
export type Role = Member['role'];

export const roleWords: readonly (readonly [Role, string])[] = [
  ['member', 'Member'],
  ['admin', 'Admin'],
];

export const isMe = ({ userId }: Member): boolean => person.value?.user.id === userId;

/** Who it is and since when. */
export const personColumns: readonly [Column<Member>, Column<Member>] = [
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

interface RoleSelectProps {
  readonly member: Member;
  readonly onRole: (role: Role) => void;
}

/** Changes a role at once; what it was is put back where the service refuses. */
export function RoleSelect({ member, onRole }: RoleSelectProps) {
  return (
    <select
      class="small"
      aria-label={`Role of ${member.email}`}
      value={member.role}
      onChange={({ currentTarget }) => onRole(currentTarget.value === 'admin' ? 'admin' : 'member')}
    >
      {roleWords.map(([role, words]) => (
        <option key={role} value={role}>
          {words}
        </option>
      ))}
    </select>
  );
}
