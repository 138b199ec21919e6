import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { Log } from '../../process/log.ts';
import { isBusy, terminateRun } from '../../workflow-starts/running-runs.ts';
import { retirementOf, typeNames, type WorkflowType } from '../../workflows/workflow-types.ts';

/** Leaves people time to return to the release before, and a worker that is short of time to recover. */
const GRACE_MS = 10 * 60_000;
/** In a round: a release with a fault must not end everything at once. */
const MAX_ENDED = 20;
const MAX_LISTED = 500;
const INVALID_ARGUMENT = 3;
/** The server sets the attribute after five failed workflow tasks in a row, and removes it after one that succeeds. */
const HAS_PROBLEMS = 'TemporalReportedProblems is not null';
const REASON = 'Its workflow tasks fail: adoption starts a new run if the ledger needs one';

export interface BlockedRunsDeps {
  readonly client: Client;
  readonly log: Log;
  /** Optional. Default: ten minutes. */
  readonly graceMs?: number;
}

/** Ends runs whose workflow tasks have failed for a while, so that adoption starts them again from their rows. */
export function createReplaceBlocked({ client, log, graceMs = GRACE_MS }: BlockedRunsDeps): () => Promise<void> {
  let firstSeen = new Map<string, number>();
  const types = typeNames.filter((type) => adoptionOf(type)).map((type) => `'${type}'`).join(', '); // prettier-ignore
  const query = `ExecutionStatus = 'Running' and ${HAS_PROBLEMS} and WorkflowType in (${types})`;
  return async () => {
    const nowMs = performance.now();
    const seen = new Map<string, number>();
    let left = MAX_ENDED;
    for (const { workflowId, runId, type } of await list(client, query)) {
      const sinceMs = firstSeen.get(runId) ?? nowMs;
      seen.set(runId, sinceMs);
      if (sinceMs === nowMs) log.warn('workflow.blocked', { workflowId, runId, type });
      if (nowMs - sinceMs < graceMs || left === 0) continue;
      const isInterrupted = adoptionOf(type as WorkflowType)?.mayInterrupt;
      if (!isInterrupted && (await isBusy(client, { workflowId, runId }))) continue;
      if (await terminateRun(client, { workflowId, runId }, REASON)) {
        log.warn('workflow.replaced', { workflowId, runId, type });
        left--;
      }
    }
    firstSeen = seen;
  };
}

/** Returns undefined for a type that the upkeep does not start again from its rows. */
function adoptionOf(type: WorkflowType) {
  const retirement = retirementOf(type);
  return retirement && 'restart' in retirement && retirement.restart === 'adoption' ? retirement : undefined;
}

async function list(client: Client, query: string) {
  const runs: { readonly workflowId: string; readonly runId: string; readonly type: string }[] = [];
  try {
    for await (const run of client.workflow.list({ query, pageSize: MAX_LISTED })) {
      runs.push(run);
      if (runs.length === MAX_LISTED) break;
    }
  } catch (error) {
    // A server that is too old for the attribute.
    if (isGrpcServiceError(error) && error.code === INVALID_ARGUMENT) return [];
    throw error;
  }
  return runs;
}
