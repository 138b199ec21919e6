import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  countRestarted,
  isBusy,
  listRunning,
  type RunningRun,
  terminateRun,
} from '../../workflow-starts/running-runs.ts';
import { type Retirement, retirementOf, typeNames } from '../../workflows/workflow-types.ts';
import { CommandFailed, countOption, oneOf, readFlags, readOptions, UsageError } from './options.ts';

type Retired = Exclude<Retirement, { readonly refusal: string }>;

const PINNED =
  'its runs end within a minute, on the build that started them. Keep the workers of that build until then';

const DEFAULT_SLICE = 50;
/** Adoption looks at the latest 500 runs of a minute. */
const MAX_SLICE = 80;

export interface RetireWaits {
  /** Between slices: two rounds of adoption. */
  readonly sliceMs: number;
  /** For activities to end, and for adoption to start the last slice again. */
  readonly lastMs: number;
}

const defaultWaits: RetireWaits = { sliceMs: 10_000, lastMs: 60_000 };

/** Ends the runs of a type in slices. What starts them again reads their rows, so that they continue with new code. */
export async function retireWorkflows(
  client: Client,
  args: readonly string[],
  waits: RetireWaits = defaultWaits,
): Promise<object> {
  const options = readRequest(args);
  const { type, startedBefore, slice, restart } = options;
  const runs: RunningRun[] = [];
  for await (const { workflowId, runId } of listRunning(client, { workflowType: type, startedBefore })) {
    runs.push({ workflowId, runId });
  }
  const request = { type, startedBefore: startedBefore.toISOString(), restart };
  if (options.isDryRun) return { ...request, found: runs.length, slices: Math.ceil(runs.length / slice) };

  const { ended, busy } = await endAll(client, runs, { ...options, waits });
  const restarted = restart === 'adoption' ? await awaitRestarts(client, ended, waits) : undefined;
  const report = { ...request, found: runs.length, ended: ended.length, busy: busy.length, restarted };
  if (busy.length === 0) return report;
  throw new CommandFailed(
    `${busy.length} runs are executing an activity. Repeat the command with --started-before ${request.startedBefore}.`,
    report,
  );
}

interface Ending extends Retired {
  readonly type: string;
  readonly slice: number;
  readonly waits: RetireWaits;
}

interface Ended {
  readonly ended: readonly RunningRun[];
  readonly busy: readonly RunningRun[];
}

/** Repeats the runs that were busy until they are idle, or none has become idle for a while. */
async function endAll(client: Client, runs: readonly RunningRun[], ending: Ending): Promise<Ended> {
  const ended: RunningRun[] = [];
  let left = runs;
  let lastEndAtMs = performance.now();
  while (left.length > 0 && performance.now() - lastEndAtMs < ending.waits.lastMs) {
    const busy: RunningRun[] = [];
    for (let start = 0; start < left.length; start += ending.slice) {
      if (start > 0) await sleep(ending.waits.sliceMs);
      const done = await endSlice(client, left.slice(start, start + ending.slice), ending);
      ended.push(...done.ended);
      busy.push(...done.busy);
      if (done.ended.length > 0) lastEndAtMs = performance.now();
      process.stderr.write(`retire-workflows: ended ${ended.length} of ${runs.length} runs\n`);
    }
    left = busy;
    if (left.length > 0) await sleep(ending.waits.sliceMs);
  }
  return { ended, busy: left };
}

async function endSlice(client: Client, slice: readonly RunningRun[], { type, mayInterrupt }: Ending): Promise<Ended> {
  const ended: RunningRun[] = [];
  const busy: RunningRun[] = [];
  for (const run of slice) {
    if (!mayInterrupt && (await isBusy(client, run))) busy.push(run);
    else if (await terminateRun(client, run, `retire-workflows --type ${type}`)) ended.push(run);
  }
  return { ended, busy };
}

/** Returns how many run again. Runs whose row has ended do not. */
async function awaitRestarts(
  client: Client,
  ended: readonly RunningRun[],
  { sliceMs, lastMs }: RetireWaits,
): Promise<number> {
  const untilMs = performance.now() + lastMs;
  for (;;) {
    const count = await countRestarted(client, ended);
    if (count === ended.length || performance.now() > untilMs) return count;
    await sleep(Math.min(sliceMs, 1_000));
  }
}

function readRequest(args: readonly string[]) {
  const { flags, rest } = readFlags(args, ['dry-run']);
  const given = readOptions(rest, { needed: ['type'], optional: ['slice', 'started-before'] });
  const type = oneOf('type', typeNames, given.type);
  const retirement = retirementOf(type) ?? { refusal: PINNED };
  if ('refusal' in retirement) throw new UsageError(`${type} cannot be retired: ${retirement.refusal}.`);
  return {
    type,
    ...retirement,
    isDryRun: flags['dry-run'] === true,
    slice: countOption('slice', given.slice, { default: DEFAULT_SLICE, max: MAX_SLICE }),
    startedBefore: given['started-before'] === undefined ? new Date() : readTime(given['started-before']),
  };
}

function readTime(given: string): Date {
  const time = /^\d{4}-\d\d-\d\dT/.test(given) ? new Date(given) : new Date(NaN);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`Invalid --started-before '${given}'. Use an ISO 8601 timestamp, such as the command prints.`);
  return time;
}
