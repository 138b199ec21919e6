import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import {
  type OrganizationRole,
  organizationRoles,
  type WorkspaceRole,
  workspaceRoles,
} from '../../contract/identity/roles.ts';
import { choiceOption, group, leaf } from '../commands/arguments.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
import { readSecretLine } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

export function addInvitations(program: Command, act: Act): void {
  const invitations = group(program, 'invitations', 'How people become members');
  leaf(invitations, 'create <email>', {
    summary: 'Invites a person by e-mail; good for seven days',
    examples: [
      'channels invitations create ann@example.com',
      'channels invitations create ann@example.com --to ws_8kLm3Qz1 --workspace-role admin',
    ],
  })
    .addOption(choiceOption('--role <role>', 'in the organization', organizationRoles).default('member'))
    .option('--to <workspace>', 'a workspace that the person becomes a member of too')
    .addOption(choiceOption('--workspace-role <role>', 'there', workspaceRoles))
    .action(act(create));
  withPages(
    leaf(invitations, 'list', { summary: 'Lists the invitations', examples: ['channels invitations list'] }),
  ).action(act(list));
  leaf(invitations, 'revoke <invitation>', {
    summary: 'Takes an open invitation back',
    examples: ['channels invitations revoke inv_8kLm3Qz1'],
  }).action(act(revoke));
  leaf(invitations, 'accept', {
    summary: 'Accepts an invitation as the person whom it was sent to, in a session (`channels login --session`)',
    examples: ['channels invitations accept < link-from-the-mail.txt'],
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
    body: { email, role, ...given({ workspaceId: to, workspaceRole }) },
  });
  run.output.done(made, `${made.invitationId} is on its way to ${made.email}, good until ${made.expiresAt}.`);
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'invitations',
    empty: 'There are no invitations.',
    columns: [
      { title: 'INVITATION', of: ({ invitationId }: Schema<'Invitation'>) => invitationId },
      { title: 'EMAIL', of: ({ email }) => email },
      { title: 'ROLE', of: ({ role }) => role },
      { title: 'STATUS', of: ({ status }) => status },
      {
        title: 'WORKSPACE',
        of: ({ workspaceId, workspaceRole }) => workspaceId && `${workspaceId} (${workspaceRole})`,
      },
      { title: 'UNTIL (UTC)', of: ({ expiresAt }) => when(expiresAt) },
    ],
    read: (query) => client.get('/organizations/{org}/invitations', { params: { path: { org }, query } }),
  });
}

async function revoke(run: Run, inv: string): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await client.delete('/organizations/{org}/invitations/{inv}', { params: { path: { org, inv } } });
  run.output.done({ invitationId: inv, status: 'revoked' }, `${inv} is taken back.`);
}

async function accept(run: Run): Promise<void> {
  const line = await readSecretLine(run.world, 'link or token of the invitation');
  const token = URL.parse(line)?.searchParams.get('token') ?? line;
  const joined = await (await run.client()).post('/invitations/accept', { body: { token } });
  run.output.done(joined, `You are ${joined.role} of ${joined.organizationId} now.`);
}
