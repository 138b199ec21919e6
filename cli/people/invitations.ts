import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import {
  type OrganizationRole,
  organizationRoles,
  type WorkspaceRole,
  workspaceRoles,
} from '../../contract/identity/roles.ts';
import { choiceOption, addGroup, addCommand } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { timeCell } from '../terminal/output.ts';
import { readSecretLine } from '../terminal/prompt.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

export function addInvitations(program: Command, act: Act): void {
  const invitations = addGroup(program, 'invitations', 'Invite people to the organization');
  addCommand(invitations, 'create <email>', {
    summary: 'Invite a person by email; expires after seven days',
    examples: [
      'channels invitations create ann@example.com',
      'channels invitations create ann@example.com --to ws_8kLm3Qz1 --workspace-role admin',
    ],
  })
    .addOption(choiceOption('--role <role>', 'role in the organization', organizationRoles).default('member'))
    .option('--to <workspace>', 'workspace to add the person to')
    .addOption(choiceOption('--workspace-role <role>', 'role in that workspace', workspaceRoles))
    .action(act(create));
  withPages(
    addCommand(invitations, 'list', { summary: 'List invitations', examples: ['channels invitations list'] }),
  ).action(act(list));
  addCommand(invitations, 'revoke <invitation>', {
    summary: 'Revoke an open invitation',
    examples: ['channels invitations revoke inv_8kLm3Qz1'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(revoke));
  addCommand(invitations, 'accept', {
    summary: 'Accept an invitation sent to you; requires a session (`channels login --session`)',
    examples: ['channels invitations accept < invitation-link.txt'],
  }).action(act(accept));
}

interface CreateOptions {
  readonly role: OrganizationRole;
  readonly to?: string;
  readonly workspaceRole?: WorkspaceRole;
}

async function create(run: Run, email: string, { role, to, workspaceRole }: CreateOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const made = await client.post('/organizations/{org}/invitations', {
    params: { path: { org } },
    body: { email, role, ...omitUndefined({ workspaceId: to, workspaceRole }) },
  });
  run.output.done(made, `Sent ${made.invitationId} to ${made.email}. It expires at ${made.expiresAt}.`);
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'invitations',
    empty: 'No invitations found.',
    columns: [
      { title: 'INVITATION', of: ({ invitationId }: Schema<'Invitation'>) => invitationId },
      { title: 'EMAIL', of: ({ email }) => email },
      { title: 'ROLE', of: ({ role }) => role },
      { title: 'STATUS', of: ({ status }) => status },
      {
        title: 'WORKSPACE',
        of: ({ workspaceId, workspaceRole }) => workspaceId && `${workspaceId} (${workspaceRole})`,
      },
      { title: 'EXPIRES (UTC)', of: ({ expiresAt }) => timeCell(expiresAt) },
    ],
    read: (query) => client.get('/organizations/{org}/invitations', { params: { path: { org }, query } }),
  });
}

async function revoke(run: Run, inv: string, options: { yes?: boolean }): Promise<void> {
  await confirm(run.world, `Revoke ${inv}?`, options);
  const [client, org] = [await run.client(), await run.organizationId()];
  await client.delete('/organizations/{org}/invitations/{inv}', { params: { path: { org, inv } } });
  run.output.done({ invitationId: inv, status: 'revoked' }, `Revoked ${inv}.`);
}

async function accept(run: Run): Promise<void> {
  const line = await readSecretLine(run.world, 'invitation link or token');
  const link = URL.parse(line);
  const token = (link && decodeURIComponent(link.hash.slice(1))) || line;
  const joined = await (await run.client()).post('/invitations/accept', { body: { token } });
  run.output.done(joined, `You joined ${joined.organizationId} as ${joined.role}.`);
}
