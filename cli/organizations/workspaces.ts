import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { choiceOption, addGroup, addCommand } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Column, timeCell } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

type Workspace = Schema<'Workspace'>;
type Kind = Workspace['kind'];

export function addWorkspaces(program: Command, act: Act): void {
  const workspaces = addGroup(program, 'workspaces', 'Manage workspaces');
  withPages(
    addCommand(workspaces, 'list', {
      summary: 'List workspaces',
      examples: ['channels workspaces list'],
    }),
  )
    .addOption(choiceOption('--kind <kind>', 'kind of workspace to show', ['team', 'customer']))
    .action(act((run, options: PageOptions & { kind?: Kind }) => list(run, options)));
  addCommand(workspaces, 'create <name>', {
    summary: 'Create a workspace for a team',
    examples: ["channels workspaces create 'Support'"],
  }).action(act((run, name: string) => create(run, { name, kind: 'team' })));
  addOne(workspaces, act, 'workspace');

  const customers = addGroup(program, 'customers', 'Manage customer workspaces');
  withPages(
    addCommand(customers, 'list', {
      summary: 'List customers',
      examples: ['channels customers list --external-id shop-17 --json'],
    }),
  )
    .option('--external-id <id>', 'external ID of the customer to show')
    .action(act((run, options: PageOptions & { externalId?: string }) => list(run, { ...options, kind: 'customer' })));
  addCommand(customers, 'create <name>', {
    summary: 'Create a workspace for a customer',
    examples: ["channels customers create 'Corner shop' --external-id shop-17"],
  })
    .option('--external-id <id>', 'your own ID for the customer; must be unique')
    .action(
      act((run, name: string, { externalId }: { externalId?: string }) =>
        create(run, { name, kind: 'customer', ...omitUndefined({ externalId }) }),
      ),
    );
  addOne(customers, act, 'customer');
}

function addOne(parent: Command, act: Act, noun: 'workspace' | 'customer'): void {
  const usage = `channels ${noun}s`;
  addCommand(parent, `show <${noun}>`, { summary: `Show a ${noun}`, examples: [`${usage} show ws_8kLm3Qz1`] }).action(
    act(show),
  );
  addCommand(parent, `rename <${noun}> [name]`, {
    summary: `Rename a ${noun} or change its external ID`,
    examples: [`${usage} rename ws_8kLm3Qz1 'Another name'`],
  })
    .option('--external-id <id>', 'external ID of a customer; empty to remove it')
    .action(act(rename));
  addCommand(parent, `delete <${noun}>`, {
    summary: `Delete a ${noun} and disconnect its channels`,
    examples: [`${usage} delete ws_8kLm3Qz1 --yes`],
  })
    .option('--erase', 'erase the data of its events, too; this cannot be undone')
    .option('--yes', 'skip the confirmation')
    .action(act(remove));
}

const columns: readonly Column<Workspace>[] = [
  { title: 'WORKSPACE', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'EXTERNAL ID', of: ({ externalId }) => externalId },
  { title: 'CREATED (UTC)', of: ({ createdAt }) => timeCell(createdAt) },
];

interface ListOptions extends PageOptions {
  readonly kind?: Kind;
  readonly externalId?: string;
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const filters = omitUndefined({ kind: options.kind, externalId: options.externalId });
  await showList(run, options, {
    name: 'workspaces',
    columns,
    empty: options.kind === 'customer' ? 'No customers found.' : 'No workspaces found.',
    read: (query) =>
      client.get('/organizations/{org}/workspaces', { params: { path: { org }, query: { ...filters, ...query } } }),
  });
}

async function create(run: Run, body: Schema<'WorkspaceInput'>): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const made = await client.post('/organizations/{org}/workspaces', { params: { path: { org } }, body });
  run.output.done(made, `Created ${made.id} ${made.name}.`);
}

function showWhole({ output }: Run, workspace: Schema<'WholeWorkspace'>): void {
  output.record(workspace, [
    ['Workspace', workspace.id],
    ['Name', workspace.name],
    ['Kind', workspace.kind],
    ['External ID', workspace.externalId],
    ['Organization', workspace.organizationId],
    ['Connected channels', workspace.channelCount],
    ['Members', workspace.memberCount],
    ['Your role', workspace.role],
    ['Created', timeCell(workspace.createdAt)],
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
  const body = omitUndefined({ name, externalId: externalId === '' ? null : externalId });
  if (Object.keys(body).length === 0) throw usageError('Nothing to change. Use a new name or --external-id.');
  showWhole(run, await (await run.client()).patch('/workspaces/{ws}', { ...at(ws), body }));
}

async function remove(run: Run, ws: string, options: { yes?: boolean; erase?: boolean }): Promise<void> {
  const client = await run.client();
  const erasing = options.erase ? ', and erase the data of its events' : '';
  await confirm(run.world, `Delete ${ws}, disconnect its channels and cancel waiting deliveries${erasing}?`, options);
  const params = { path: { ws }, ...(options.erase && { query: { erase: 'true' as const } }) };
  await client.delete('/workspaces/{ws}', { params });
  run.output.done({ id: ws, deleted: true }, `Deleted ${ws}.`);
}
