import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ReplayMove, type ReplayStatus, replayMoves } from '../../contract/replays/replay.ts';
import { addGroup, addCommand } from '../commands/arguments.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type CellValue, type Tone, formatTime, timeCell, type Field, linkCell } from '../terminal/output.ts';
import { organizationUrl } from '../links/dashboard-url.ts';
import { workflowUrl } from '../links/workflow-url.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { pause } from '../terminal/pause.ts';
import { addCreate } from './create.ts';

type Replay = Schema<'Replay'>;

const tones: Readonly<Record<ReplayStatus, Tone>> = {
  planning: 'busy',
  running: 'busy',
  paused: 'quiet',
  completed: 'good',
  cancelled: 'quiet',
};
const POLL_MS = 1_000;

export function addReplays(program: Command, act: Act): void {
  const replays = addGroup(program, 'replays', 'Replay past events in bulk');
  addCreate(replays, act, { waitForEnd, showReplay });
  withPages(
    addCommand(replays, 'list', {
      summary: 'List replays, newest first',
      examples: ['channels replays list', 'channels replays list --scope channel:ch_4fT9aPq2'],
    }),
  )
    .option('--scope <scope>', 'channel:<id>, workspace:<id> or organization:<id> (default: the workspace)')
    .action(act(list));
  addCommand(replays, 'show <replay>', {
    summary: 'Show a replay and the outcome of its deliveries',
    examples: ['channels replays show rpl_4fT9aPq2', 'channels replays show rpl_4fT9aPq2 --wait'],
  })
    .option('--wait', 'wait until all events are sent and show progress')
    .action(act(show));
  const summaries: Readonly<Record<ReplayMove, string>> = {
    pause: 'Pause a replay',
    resume: 'Resume a paused replay',
    cancel: 'Cancel a replay; deliveries that it created continue',
  };
  for (const move of replayMoves) {
    const command = addCommand(replays, `${move} <replay>`, {
      summary: summaries[move],
      examples: [`channels replays ${move} rpl_4fT9aPq2`],
    });
    if (move === 'cancel') command.option('--yes', 'skip the confirmation');
    command.action(
      act(async (run, rpl: string, options: { yes?: boolean }) => {
        if (move === 'cancel') await confirm(run.world, `Cancel ${rpl}? It cannot be resumed.`, options);
        const replay = await (await run.client()).post(`/replays/{rpl}/${move}`, { params: { path: { rpl } } });
        run.output.done(replay, `${rpl} is ${replay.status}: ${replay.sent} of ${replay.matched} sent.`);
      }),
    );
  }
}

function statusCell(status: ReplayStatus): CellValue {
  return { text: status, tone: tones[status] };
}

async function list(run: Run, options: PageOptions & { readonly scope?: string }): Promise<void> {
  const client = options.scope === undefined ? await run.inWorkspace() : await run.client();
  await showList(run, options, {
    name: 'replays',
    empty: 'No replays found.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Replay) => timeCell(createdAt) },
      { title: 'REPLAY', of: ({ replayId }) => replayId },
      { title: 'STATUS', of: ({ status }) => statusCell(status) },
      { title: 'SCOPE', of: ({ scope }) => scope },
      { title: 'SENT', of: ({ sent, matched }) => `${sent}/${matched}` },
      { title: 'DELIVERED', of: ({ delivered }) => delivered },
      { title: 'FAILED', of: ({ failed }) => failed },
    ],
    read: (query) =>
      client.get('/replays', { params: { query: { ...query, ...omitUndefined({ scope: options.scope }) } } }),
  });
}

async function show(run: Run, rpl: string, { wait }: { wait?: boolean }): Promise<void> {
  const replay = wait ? await waitForEnd(run, rpl) : await read(run, rpl);
  showReplay(run, replay, await linksOf(run, replay));
}

async function read(run: Run, rpl: string): Promise<Replay> {
  return await (await run.client()).get('/replays/{rpl}', { params: { path: { rpl } } });
}

async function linksOf(run: Run, { replayId, workflowId }: Replay): Promise<Field[]> {
  if (run.output.isJson) return [];
  const page = await organizationUrl(run, `replays/${replayId}`).catch(() => undefined);
  const workflow = workflowUrl(run.world, workflowId);
  return [
    ...(page ? [['Dashboard', linkCell(page)] satisfies Field] : []),
    ...(workflow ? [['Workflow page', linkCell(workflow)] satisfies Field] : []),
  ];
}

function showReplay({ output }: Run, replay: Replay, links: readonly Field[] = []): void {
  output.record(replay, [
    ['Replay', replay.replayId],
    ['Status', statusCell(replay.status)],
    ['Scope', replay.scope],
    ['Received', `${formatTime(replay.since)} to ${formatTime(replay.until)}`],
    ['Statuses', replay.statuses.join(', ')],
    ['Event types', replay.eventTypes?.join(', ') ?? 'all'],
    ['Channels', replay.channelIds?.join(', ') ?? 'all of the scope'],
    ['Sent to', replay.originalDestinations?.join(', ') ?? 'any destination'],
    ['HTTP statuses', replay.httpStatuses?.join(', ') ?? 'any'],
    ...(replay.selectedBy.length > 0 ? [['Selected by', replay.selectedBy.join(', ')] satisfies Field] : []),
    ['Destination', replay.destination ?? 'original destination of each event'],
    ['Rate', `up to ${replay.ratePerSecond} per second`],
    ['Sent', `${replay.sent} of ${replay.matched}`],
    ['Delivered', replay.delivered],
    ['Failed', replay.failed],
    ['Waiting', replay.waiting],
    ['Ended (UTC)', timeCell(replay.endedAt)],
    ['Workflow', replay.workflowId],
    ...links,
  ]);
}

async function waitForEnd(run: Run, rpl: string): Promise<Replay> {
  for (;;) {
    const replay = await read(run, rpl);
    const { status, sent, matched, delivered, failed } = replay;
    if (status === 'completed') return replay;
    if (status === 'paused' || status === 'cancelled') {
      throw new CliError(`${rpl} is ${status}: ${sent} of ${matched} sent.`, { exitCode: exitCodes.failure });
    }
    const text =
      status === 'planning'
        ? `planning: ${matched} events found`
        : `${sent}/${matched} sent, ${delivered} delivered, ${failed} failed`;
    run.progress.show(text, status === 'running' && matched > 0 ? sent / matched : undefined);
    await pause(POLL_MS, run.world);
  }
}
