import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, addGroup } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { type Column, timeCell } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';

type Erasure = Schema<'Erasure'>;
type Scope = Schema<'ErasureInput'>['scope'];

interface CreateOptions {
  readonly event?: string;
  readonly sender?: string;
  readonly erasedWorkspace?: string;
  readonly onlyWorkspace?: string;
  readonly channel?: string;
  readonly reason: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function addErasures(program: Command, act: Act): void {
  const erasures = addGroup(program, 'erasures', 'Erase personal data before its retention ends');
  addCommand(erasures, 'create', {
    summary: 'Erase the data of an event, a sender or a workspace',
    examples: [
      'channels erasures create --sender 15551234567 --reason "ticket 4711" --dry-run',
      'channels erasures create --erased-workspace ws_8kLm3Qz1 --reason "contract ended" --yes',
    ],
  })
    .option('--event <id>', 'ID of the event to erase')
    .option('--sender <id>', 'sender whose events are erased')
    .option('--erased-workspace <id>', 'ID of the workspace to erase')
    .option('--only-workspace <id>', "with --sender: only the sender's events in this workspace")
    .option('--channel <id>', "with --sender: only the sender's events of this channel")
    .requiredOption('--reason <text>', 'why; the audit log keeps it, so do not name the person')
    .option('--dry-run', 'count the matching events and erase nothing')
    .option('--yes', 'skip the confirmation')
    .action(act(create));
  withPages(addCommand(erasures, 'list', { summary: 'List erasures', examples: ['channels erasures list'] })).action(
    act(list),
  );
  addCommand(erasures, 'show <erasure>', {
    summary: 'Show the progress and the report of an erasure',
    examples: ['channels erasures show ers_5tRk2Wq8'],
  }).action(act(show));
}

function scopeOf({ event, sender, erasedWorkspace, onlyWorkspace, channel }: CreateOptions): Scope {
  if ([event, sender, erasedWorkspace].filter((one) => one !== undefined).length !== 1) {
    throw usageError('Use one of --event, --sender and --erased-workspace.');
  }
  if (event !== undefined) return { event };
  if (sender === undefined) return { workspace: erasedWorkspace ?? '' };
  return { sender, ...omitUndefined({ workspaceId: onlyWorkspace, channelId: channel }) };
}

async function create(run: Run, options: CreateOptions): Promise<void> {
  const scope = scopeOf(options);
  const [client, org] = [await run.client(), await run.organizationId()];
  const { reason, dryRun = false } = options;
  if (!dryRun) await confirm(run.world, 'Erase the data? This cannot be undone.', options);
  const started = await client.post('/organizations/{org}/erasures', {
    params: { path: { org } },
    body: { scope, reason, dryRun },
  });
  const { erasureId, matched } = started;
  const sentence = erasureId === null ? `${matched} events match.` : `${erasureId} erases ${matched} events.`;
  run.output.done(started, sentence);
}

const columns: readonly Column<Erasure>[] = [
  { title: 'ERASURE', of: ({ erasureId }) => erasureId },
  { title: 'OF', of: ({ kind, eventId, workspaceId }) => [kind, eventId ?? workspaceId].filter(Boolean).join(' ') },
  { title: 'STATUS', of: ({ status }) => ({ text: status, tone: status === 'completed' ? 'good' : 'busy' }) },
  { title: 'EVENTS', of: ({ erased }) => erased.events },
  { title: 'REASON', of: ({ reason }) => reason },
  { title: 'CREATED (UTC)', of: ({ createdAt }) => timeCell(createdAt) },
];

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'erasures',
    columns,
    empty: 'No erasures found.',
    read: (query) => client.get('/organizations/{org}/erasures', { params: { path: { org }, query } }),
  });
}

async function show(run: Run, ers: string): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const erasure = await client.get('/organizations/{org}/erasures/{ers}', { params: { path: { org, ers } } });
  run.output.record(erasure, [
    ['Erasure', erasure.erasureId],
    ['Of', erasure.kind],
    ['Event', erasure.eventId],
    ['Workspace', erasure.workspaceId],
    ['Channel', erasure.channelId],
    ['Reason', erasure.reason],
    ['Status', erasure.status],
    ['Step', erasure.step],
    ...Object.entries(erasure.erased).map(([name, count]) => [`Erased ${name}`, count] as const),
    ['Created', timeCell(erasure.createdAt)],
    ['Ended', timeCell(erasure.endedAt)],
  ]);
}
