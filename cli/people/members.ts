import { Argument, type Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addGroup, addCommand } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { timeCell } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';
import { addMemberSecrets } from './member-secrets.ts';
import { removeMember } from './remove-member.ts';

type Member = Schema<'Member'> | Schema<'WorkspaceMember'>;
interface Within {
  readonly of?: string;
}

const OF = ['--of <workspace>', 'workspace whose members to manage (default: the organization)'] as const;

export function addMembers(program: Command, act: Act): void {
  const members = addGroup(program, 'members', 'Manage members of the organization and its workspaces');
  withPages(
    addCommand(members, 'list', {
      summary: 'List members',
      examples: ['channels members list', 'channels members list --of ws_8kLm3Qz1'],
    }),
  )
    .option(...OF)
    .action(act(list));
  addCommand(members, 'set <person>', {
    summary: 'Change the role of a member, or add a member to a workspace',
    examples: ['channels members set usr_8kLm3Qz1 admin', 'channels members set usr_8kLm3Qz1 member --of ws_8kLm3Qz1'],
  })
    .addArgument(new Argument('<role>', 'new role').choices(['admin', 'developer', 'member']))
    .option(...OF)
    .action(act(set));
  addCommand(members, 'remove <person>', {
    summary: 'Remove a member; from the organization, also revokes their agents and lists the secrets they know',
    examples: [
      'channels members remove usr_8kLm3Qz1',
      'channels members remove usr_8kLm3Qz1 --yes --revoke-keys --rotate-revealed',
    ],
  })
    .option(...OF)
    .option('--yes', 'skip the confirmation')
    .option('--revoke-keys', 'afterwards, revoke the API keys that they created; requires a session')
    .option('--rotate-revealed', 'afterwards, rotate the secrets revealed to them, with an overlap of one hour')
    .action(act(removeMember));
  addMemberSecrets(members, act);
}

async function list(run: Run, options: PageOptions & Within): Promise<void> {
  const client = await run.client();
  const { of: ws } = options;
  const org = ws === undefined ? await run.organizationId() : '';
  await showList(run, options, {
    name: 'members',
    empty: 'No members found. Organization admins have access to every workspace.',
    columns: [
      { title: 'USER', of: ({ userId }: Member) => userId },
      { title: 'EMAIL', of: ({ email }) => email ?? '' },
      { title: 'ROLE', of: ({ role }) => role },
      { title: 'JOINED (UTC)', of: ({ createdAt }) => timeCell(createdAt) },
    ],
    read: (query) =>
      ws === undefined
        ? client.get('/organizations/{org}/members', { params: { path: { org }, query } })
        : client.get('/workspaces/{ws}/members', { params: { path: { ws }, query } }),
  });
}

async function set(run: Run, ...[usr, role, { of: ws }]: [string, Member['role'], Within]): Promise<void> {
  const member =
    ws === undefined ? await setInOrganization(run, { usr, role }) : await setInWorkspace(run, { ws, usr, role });
  run.output.done(member, `${member.email ?? usr} is now ${member.role} of ${ws ?? 'the organization'}.`);
}

async function setInOrganization(run: Run, { usr, role }: { usr: string; role: Member['role'] }): Promise<Member> {
  if (role === 'developer') {
    throw usageError(
      'The developer role exists only in workspaces.',
      'Name the workspace, for example --of ws_8kLm3Qz1.',
    );
  }
  const path = { org: await run.organizationId(), usr };
  return await (await run.client()).patch('/organizations/{org}/members/{usr}', { params: { path }, body: { role } });
}

async function setInWorkspace(
  run: Run,
  { role, ...path }: { ws: string; usr: string; role: Member['role'] },
): Promise<Member> {
  return await (await run.client()).put('/workspaces/{ws}/members/{usr}', { params: { path }, body: { role } });
}
