import { Argument, type Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { group, leaf } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';
import { addMemberKnowledge } from './member-knowledge.ts';
import { removeMember } from './remove-member.ts';

type Member = Schema<'Member'> | Schema<'WorkspaceMember'>;
interface Within {
  /** A workspace's own members instead of the organization's. */
  readonly of?: string;
}

const OF = ['--of <workspace>', 'of this workspace; of the organization unless given'] as const;

export function addMembers(program: Command, act: Act): void {
  const members = group(program, 'members', 'People of the organization and of its workspaces');
  withPages(
    leaf(members, 'list', {
      summary: 'Lists the members',
      examples: ['channels members list', 'channels members list --of ws_8kLm3Qz1'],
    }),
  )
    .option(...OF)
    .action(act(list));
  leaf(members, 'set <person>', {
    summary: 'Changes the role of a member, or makes one of the organization a member of a workspace',
    examples: ['channels members set usr_8kLm3Qz1 admin', 'channels members set usr_8kLm3Qz1 member --of ws_8kLm3Qz1'],
  })
    .addArgument(new Argument('<role>', 'what the person becomes').choices(['admin', 'developer', 'member']))
    .option(...OF)
    .action(act(set));
  leaf(members, 'remove <person>', {
    summary: 'Removes a person; from the organization, the keys of their agents end too, and you see what they know',
    examples: [
      'channels members remove usr_8kLm3Qz1',
      'channels members remove usr_8kLm3Qz1 --yes --revoke-keys --rotate-revealed',
    ],
  })
    .option(...OF)
    .option('--yes', 'do not ask')
    .option('--revoke-keys', 'then revoke the API keys that they made (in a session only)')
    .option('--rotate-revealed', 'then rotate the secrets that they have read, with an overlap of an hour')
    .action(act(removeMember));
  addMemberKnowledge(members, act);
}

async function list(run: Run, options: PageOptions & Within): Promise<void> {
  const client = await run.client();
  const { of: ws } = options;
  const org = ws === undefined ? await run.organizationId() : '';
  await showList(run, options, {
    name: 'members',
    empty: 'There are no members of its own; admins of the organization reach every workspace.',
    columns: [
      { title: 'PERSON', of: ({ userId }: Member) => userId },
      { title: 'EMAIL', of: ({ email }) => email },
      { title: 'ROLE', of: ({ role }) => role },
      { title: 'SINCE (UTC)', of: ({ createdAt }) => when(createdAt) },
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
  run.output.done(member, `${member.email} is ${member.role} of ${ws ?? 'the organization'}.`);
}

async function setInOrganization(run: Run, { usr, role }: { usr: string; role: Member['role'] }): Promise<Member> {
  if (role === 'developer') {
    throw usageError('An organization has no developers.', 'Say in which workspace: --of ws_8kLm3Qz1.');
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
