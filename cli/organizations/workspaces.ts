import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { choiceOption, group, leaf } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Column, when } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

type Workspace = Schema<'Workspace'>;
type Kind = Workspace['kind'];

export function addWorkspaces(program: Command, act: Act): void {
  const workspaces = group(program, 'workspaces', 'What holds channels: of teams, and of customers');
  withPages(
    leaf(workspaces, 'list', {
      summary: 'Lists the workspaces of the organization',
      examples: ['channels workspaces list'],
    }),
  )
    .addOption(choiceOption('--kind <kind>', 'only these', ['team', 'customer']))
    .action(act((run, options: PageOptions & { kind?: Kind }) => list(run, options)));
  leaf(workspaces, 'create <name>', {
    summary: 'Creates a workspace for a team',
    examples: ["channels workspaces create 'Support'"],
  }).action(act((run, name: string) => create(run, { name, kind: 'team' })));
  addOne(workspaces, act, 'workspace');

  const customers = group(program, 'customers', 'Workspaces of customers, by names of your own');
  withPages(
    leaf(customers, 'list', {
      summary: 'Lists the customers',
      examples: ['channels customers list --external-id shop-17 --json'],
    }),
  )
    .option('--external-id <id>', 'only the one of this name of your own')
    .action(act((run, options: PageOptions & { externalId?: string }) => list(run, { ...options, kind: 'customer' })));
  leaf(customers, 'create <name>', {
    summary: 'Creates a workspace for a customer',
    examples: ["channels customers create 'Corner shop' --external-id shop-17"],
  })
    .option('--external-id <id>', 'your own name for it, unique among your customers')
    .action(
      act((run, name: string, { externalId }: { externalId?: string }) =>
        create(run, { name, kind: 'customer', ...given({ externalId }) }),
      ),
    );
  addOne(customers, act, 'customer');
}

function addOne(parent: Command, act: Act, noun: 'workspace' | 'customer'): void {
  const usage = `channels ${noun}s`;
  leaf(parent, `show <${noun}>`, { summary: `Shows a ${noun}`, examples: [`${usage} show ws_8kLm3Qz1`] }).action(
    act(show),
  );
  leaf(parent, `rename <${noun}> [name]`, {
    summary: `Renames a ${noun}, or changes its external id`,
    examples: [`${usage} rename ws_8kLm3Qz1 'Another name'`],
  })
    .option('--external-id <id>', 'of a customer; an empty one takes it away')
    .action(act(rename));
  leaf(parent, `delete <${noun}>`, {
    summary: `Deletes a ${noun} and disconnects its channels`,
    examples: [`${usage} delete ws_8kLm3Qz1 --yes`],
  })
    .option('--yes', 'do not ask')
    .action(act(remove));
}

const columns: readonly Column<Workspace>[] = [
  { title: 'WORKSPACE', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'EXTERNAL ID', of: ({ externalId }) => externalId },
  { title: 'CREATED (UTC)', of: ({ createdAt }) => when(createdAt) },
];

interface ListOptions extends PageOptions {
  readonly kind?: Kind;
  readonly externalId?: string;
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const filters = given({ kind: options.kind, externalId: options.externalId });
  await showList(run, options, {
    name: 'workspaces',
    columns,
    empty: options.kind === 'customer' ? 'There are no such customers.' : 'There are no workspaces.',
    read: (query) =>
      client.get('/organizations/{org}/workspaces', { params: { path: { org }, query: { ...filters, ...query } } }),
  });
}

async function create(run: Run, body: Schema<'WorkspaceInput'>): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const made = await client.post('/organizations/{org}/workspaces', { params: { path: { org } }, body });
  run.output.done(made, `${made.id} ${made.name} is there.`);
}

function showWhole({ output }: Run, workspace: Schema<'WholeWorkspace'>): void {
  output.record(workspace, [
    ['Workspace', workspace.id],
    ['Name', workspace.name],
    ['Kind', workspace.kind],
    ['External id', workspace.externalId],
    ['Organization', workspace.organizationId],
    ['Connected channels', workspace.channelCount],
    ['Members of its own', workspace.memberCount],
    ['You are', workspace.role],
    ['Created', when(workspace.createdAt)],
  ]);
}

function at(ws: string) {
  return { params: { path: { ws } } };
}

async function show(run: Run, ws: string): Promise<void> {
  showWhole(run, await (await run.client()).get('/workspaces/{ws}', at(ws)));
}

async function rename(
  run: Run,
  ...[ws, name, options]: [string, string | undefined, { externalId?: string }]
): Promise<void> {
  const { externalId } = options;
  const body = given({ name, externalId: externalId === '' ? null : externalId });
  if (Object.keys(body).length === 0) throw usageError('Say a new name, or --external-id.');
  showWhole(run, await (await run.client()).patch('/workspaces/{ws}', { ...at(ws), body }));
}

async function remove(run: Run, ws: string, options: { yes?: boolean }): Promise<void> {
  const client = await run.client();
  await confirm(run.world, `Delete ${ws}, disconnect its channels and cancel what waits?`, options);
  await client.delete('/workspaces/{ws}', at(ws));
  run.output.done({ id: ws, deleted: true }, `${ws} is deleted.`);
}
