import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ReplayMove, type ReplayStatus, replayMoves } from '../../contract/replays/replay.ts';
import { group, leaf } from '../commands/arguments.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Shown, type Tone, when } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';
import { pause } from '../terminal/waiting.ts';
import { addCreate } from './create.ts';

type Replay = Schema<'Replay'>;

const tones: Readonly<Record<ReplayStatus, Tone>> = {
  planning: 'busy',
  running: 'busy',
  paused: 'quiet',
  completed: 'good',
  cancelled: 'quiet',
};
const LOOK_MS = 1_000;

export function addReplays(program: Command, act: Act): void {
  const replays = group(program, 'replays', 'Old events sent again, below live traffic');
  addCreate(replays, act, { waitForEnd, showReplay });
  withPages(
    leaf(replays, 'list', {
      summary: 'Lists replays, newest first',
      examples: ['channels replays list', 'channels replays list --scope channel:ch_4fT9aPq2'],
    }),
  )
    .option('--scope <scope>', 'channel:<id>, workspace:<id> or organization:<id>; the workspace unless given')
    .action(act(list));
  leaf(replays, 'show <replay>', {
    summary: 'Shows a replay and what has become of what it sent',
    examples: ['channels replays show rpl_4fT9aPq2', 'channels replays show rpl_4fT9aPq2 --wait'],
  })
    .option('--wait', 'until everything is sent, with a progress bar')
    .action(act(show));
  const summaries: Readonly<Record<ReplayMove, string>> = {
    pause: 'Sends nothing more until the replay is resumed',
    resume: 'Goes on with a replay that was paused',
    cancel: 'Ends a replay for good; what it has sent goes on',
  };
  for (const move of replayMoves) {
    leaf(replays, `${move} <replay>`, {
      summary: summaries[move],
      examples: [`channels replays ${move} rpl_4fT9aPq2`],
    }).action(
      act(async (run, rpl: string) => {
        const replay = await (await run.client()).post(`/replays/{rpl}/${move}`, { params: { path: { rpl } } });
        run.output.done(replay, `${rpl} is ${replay.status}: ${replay.sent} of ${replay.matched} sent.`);
      }),
    );
  }
}

function shownStatus(status: ReplayStatus): Shown {
  return { text: status, tone: tones[status] };
}

async function list(run: Run, options: PageOptions & { readonly scope?: string }): Promise<void> {
  const client = options.scope === undefined ? await run.inWorkspace() : await run.client();
  await showList(run, options, {
    name: 'replays',
    empty: 'There are no replays.',
    columns: [
      { title: 'CREATED (UTC)', of: ({ createdAt }: Replay) => when(createdAt) },
      { title: 'REPLAY', of: ({ replayId }) => replayId },
      { title: 'STATUS', of: ({ status }) => shownStatus(status) },
      { title: 'SCOPE', of: ({ scope }) => scope },
      { title: 'SENT', of: ({ sent, matched }) => `${sent}/${matched}` },
      { title: 'DELIVERED', of: ({ delivered }) => delivered },
      { title: 'FAILED', of: ({ failed }) => failed },
    ],
    read: (query) => client.get('/replays', { params: { query: { ...query, ...given({ scope: options.scope }) } } }),
  });
}

async function show(run: Run, rpl: string, { wait }: { wait?: boolean }): Promise<void> {
  showReplay(run, wait ? await waitForEnd(run, rpl) : await read(run, rpl));
}

async function read(run: Run, rpl: string): Promise<Replay> {
  return await (await run.client()).get('/replays/{rpl}', { params: { path: { rpl } } });
}

function showReplay({ output }: Run, replay: Replay): void {
  output.record(replay, [
    ['Replay', replay.replayId],
    ['Status', shownStatus(replay.status)],
    ['Scope', replay.scope],
    ['Received', `${when(replay.since)} to ${when(replay.until)}`],
    ['In states', replay.statuses.join(', ')],
    ['Event types', replay.eventTypes?.join(', ') ?? 'all'],
    ['Destination', replay.destination ?? "each delivery's own"],
    ['Rate', `${replay.ratePerSecond} a second at most`],
    ['Sent', `${replay.sent} of ${replay.matched}`],
    ['Delivered', replay.delivered],
    ['Failed', replay.failed],
    ['Waiting', replay.waiting],
    ['Ended (UTC)', when(replay.endedAt)],
    ['Workflow', replay.workflowId],
  ]);
}

/** Looks at the replay until it has sent everything; one that is paused or cancelled is not waited for. */
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
        ? `planning: ${matched} so far`
        : `${sent}/${matched} sent, ${delivered} delivered, ${failed} failed`;
    run.progress.show(text, status === 'running' && matched > 0 ? sent / matched : undefined);
    await pause(LOOK_MS, run.world);
  }
}
