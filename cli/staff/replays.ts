import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { deliveryStatuses, type DeliveryStatus } from '../../contract/deliveries/status.ts';
import { replayMoves, type ReplayMove } from '../../contract/replays/replay.ts';
import { addCommand, addGroup, listOption, parseTime, parseWholeNumber } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import type { Act, Run } from '../commands/run.ts';
import { countOf } from '../replays/create.ts';
import { timeCell } from '../terminal/output.ts';
import { type Reasoned, staffClient, withReason } from './staff-client.ts';

type Replay = Schema<'StaffReplay'>;

export function addStaffReplays(staff: Command, act: Act): void {
  withReason(
    addCommand(staff, 'replay <delivery>', {
      summary: 'Replay the event of a delivery as a new delivery',
      examples: ['channels staff replay wd_4fT9aPq2 --reason "Ticket 812"'],
    }),
  )
    .option('--destination <where>', '`webhook`, or the ID of a subscription or listener (default: the original one)')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(replay));
  const replays = addGroup(staff, 'replays', 'Replay past events of any organization in bulk');
  addCreate(replays, act);
  withReason(
    withPages(
      addCommand(replays, 'list', {
        summary: 'List replays, newest first',
        examples: ['channels staff replays list --scope channel:ch_4fT9aPq2 --reason "Ticket 812"'],
      }),
    ),
  )
    .requiredOption('--scope <scope>', 'channel:<id>, workspace:<id> or organization:<id>')
    .action(act(list));
  withReason(
    addCommand(replays, 'show <replay>', {
      summary: 'Show a replay',
      examples: ['channels staff replays show rpl_4fT9aPq2 --reason "Ticket 812"'],
    }),
  ).action(
    act(async (run, rpl: string, { reason }: Reasoned) => {
      const params = { path: { rpl }, query: { reason } };
      showReplay(run, await staffClient(run).get('/staff/replays/{rpl}', { params }));
    }),
  );
  for (const move of replayMoves) addMove(replays, { act, move });
}

function addCreate(replays: Command, act: Act): void {
  withReason(
    addCommand(replays, 'create', {
      summary: 'Replay past events',
      examples: [
        'channels staff replays create --scope channel:ch_4fT9aPq2 --since 1h --status skipped --dry-run --reason "Ticket 812"',
      ],
    }),
  )
    .requiredOption('--scope <scope>', 'channel:<id>, workspace:<id> or organization:<id>')
    .requiredOption('--since <time>', 'start time: 30m, 2h or 7d ago, or an ISO 8601 timestamp')
    .option('--until <time>', 'end time, exclusive', 'now')
    .addOption(listOption('--status <list>', 'current statuses to replay; default: exhausted', deliveryStatuses))
    .option('--rate <n>', 'maximum number of events per second', parseWholeNumber)
    .option('--dry-run', 'count the events without sending them')
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(create));
}

function addMove(replays: Command, { act, move }: { readonly act: Act; readonly move: ReplayMove }): void {
  const summaries = { pause: 'Pause a replay', resume: 'Resume a paused replay', cancel: 'Cancel a replay' };
  withReason(
    addCommand(replays, `${move} <replay>`, {
      summary: summaries[move],
      examples: [`channels staff replays ${move} rpl_4fT9aPq2 --reason "Ticket 812"`],
    }),
  ).action(
    act(async (run, rpl: string, { reason }: Reasoned) => {
      const request = { params: { path: { rpl } }, body: { reason } };
      showReplay(run, await staffClient(run).post(`/staff/replays/{rpl}/${move}`, request));
    }),
  );
}

interface ReplayOptions extends Reasoned {
  readonly destination?: string;
  readonly idempotencyKey?: string;
}

async function replay(run: Run, wd: string, { reason, destination, idempotencyKey }: ReplayOptions): Promise<void> {
  const header = omitUndefined({ 'Idempotency-Key': idempotencyKey });
  const body = { reason, ...omitUndefined({ destination }) };
  const made = await staffClient(run).post('/staff/deliveries/{wd}/replay', { params: { path: { wd }, header }, body });
  run.output.done(made, `Replayed ${wd} as ${made.deliveryId}.`);
}

interface CreateOptions extends Reasoned {
  readonly scope: string;
  readonly since: string;
  readonly until: string;
  readonly status?: readonly DeliveryStatus[];
  readonly rate?: number;
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
}

async function create(run: Run, options: CreateOptions): Promise<void> {
  const { reason, scope, status = ['exhausted'], rate: ratePerSecond, dryRun = false } = options;
  const since = parseTime(options.since, run.world) ?? options.since;
  const until = parseTime(options.until, run.world) ?? options.until;
  const header = omitUndefined({ 'Idempotency-Key': options.idempotencyKey });
  const body = { reason, scope, since, until, statuses: [...status], dryRun, ...omitUndefined({ ratePerSecond }) };
  const started = await staffClient(run).post('/staff/replays', { params: { header }, body });
  const text = dryRun
    ? `${countOf(started)} events would be sent.`
    : `Started ${started.replayId} with ${countOf(started)} events.`;
  run.output.done(started, text);
}

async function list(run: Run, options: PageOptions & Reasoned & { readonly scope: string }): Promise<void> {
  const client = staffClient(run);
  const { reason, scope } = options;
  await showList(run, options, {
    name: 'replays',
    empty: 'No replays found.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Replay) => timeCell(createdAt) },
      { title: 'REPLAY', of: ({ replayId }) => replayId },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'SCOPE', of: ({ scope: place }) => place },
      { title: 'SENT', of: ({ sent, matched }) => `${sent}/${matched}` },
    ],
    read: (page) => client.get('/staff/replays', { params: { query: { reason, scope, ...page } } }),
  });
}

function showReplay({ output }: Run, one: Replay): void {
  output.record(one, [
    ['Replay', one.replayId],
    ['Status', one.status],
    ['Scope', one.scope],
    ['Sent', `${one.sent} of ${one.matched}`],
    ['Delivered', one.delivered],
    ['Failed', one.failed],
    ['Temporal', one.temporalUrl],
  ]);
}
