import { organizationRoles, workspaceRoles } from '../../contract/identity/roles.ts';
import { group } from '../commands/definition.ts';
import { fallback, oneOf, pages, yes } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { formatTime } from '../terminal/output.ts';
import { readSecretLine } from '../terminal/prompt.ts';

export const invitations = group('invitations', 'Invite people to the organization', [
  route('create <email>', 'POST /organizations/{org}/invitations', {
    summary: 'Invite a person by email; expires after seven days',
    examples: ['ann@example.com', 'ann@example.com --to ws_8kLm3Qz1 --workspace-role admin'],
    flags: {
      role: ['--role <role>', 'role in the organization', fallback('member', oneOf(organizationRoles))],
      workspaceId: ['--to <workspace>', 'workspace to add the person to'],
      workspaceRole: ['--workspace-role <role>', 'role in that workspace', oneOf(workspaceRoles)],
    },
    done: ({ invitationId, email, expiresAt }) =>
      `Sent ${invitationId} to ${email}. It expires at ${formatTime(expiresAt)} UTC.`,
  }),
  route('list', 'GET /organizations/{org}/invitations', {
    summary: 'List invitations',
    flags: pages,
    columns: {
      INVITATION: 'invitationId',
      EMAIL: 'email',
      ROLE: 'role',
      STATUS: 'status',
      WORKSPACE: ({ workspaceId, workspaceRole }) => workspaceId && `${workspaceId} (${workspaceRole})`,
      'EXPIRES (UTC)': 'expiresAt',
    },
  }),
  route('revoke <invitation>', 'DELETE /organizations/{org}/invitations/{inv}', {
    summary: 'Revoke an open invitation',
    flags: yes,
    confirm: ([inv]) => `Revoke ${inv}?`,
    done: (_, [inv]) => [{ invitationId: inv, status: 'revoked' }, `Revoked ${inv}.`],
  }),
  route('accept', 'POST /invitations/accept', {
    summary: 'Accept an invitation sent to you; requires a session (`channels login --session`)',
    examples: '< invitation-link.txt',
    async input(_, _args, { world }) {
      const line = await readSecretLine(world, 'invitation link or token');
      const link = URL.parse(line);
      return { token: link?.hash ? decodeURIComponent(link.hash.slice(1)) : line };
    },
    done: ({ organizationId, role }) => `You joined ${organizationId} as ${role}.`,
  }),
]);
