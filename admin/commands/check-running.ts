import type { Client } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { workerBuildId, workflowBundle } from '../../worker/workflow-bundle.ts';
import { type RunHistory, runningHistories } from '../../workflow-starts/running-runs.ts';
import { typeNames } from '../../workflows/workflow-types.ts';
import { CommandFailed, countOption, oneOf, readOptions } from './options.ts';

const DEFAULT_PER_TYPE = 20;
const MAX_PER_TYPE = 10_000;

interface Failure {
  readonly workflowId: string;
  readonly runId: string;
  readonly error: string;
}

interface TypeReport {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
}

/** Replays running workflows with the workflows of this code, as a worker does that takes them over. */
export async function checkRunning(client: Client, args: readonly string[]): Promise<object> {
  const given = readOptions(args, { needed: [], optional: ['per-type', 'type'] });
  const limit = countOption('per-type', given['per-type'], { default: DEFAULT_PER_TYPE, max: MAX_PER_TYPE });
  const chosen = given.type === undefined ? typeNames : [oneOf('type', typeNames, given.type)];
  const bundle = await workflowBundle({ isVersioned: true });
  const types: Record<string, TypeReport> = {};
  for (const workflowType of chosen) {
    types[workflowType] = await replayAll(bundle, runningHistories(client, { workflowType, limit }));
  }
  const failed = Object.values(types).reduce((sum, type) => sum + type.failed, 0);
  const report = { buildId: workerBuildId(), failed, types };
  if (failed === 0) return report;
  throw new CommandFailed(
    `${failed} running workflows do not replay with this code. Patch the change, or end them with retire-workflows.`,
    report,
  );
}

async function replayAll(
  bundle: { readonly code: string },
  histories: AsyncIterable<{ readonly workflowId: string; readonly history: RunHistory }>,
): Promise<TypeReport> {
  const failures: Failure[] = [];
  let passed = 0;
  for await (const { workflowId, runId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, histories)) {
    if (error) failures.push({ workflowId, runId, error: `${error.name}: ${error.message}` });
    else passed++;
  }
  return { passed, failed: failures.length, failures };
}

/** The command reports each failed replay itself. Must run before the first replay of the process. */
export function quietReplays(): void {
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter, forward: {} } },
  });
}
