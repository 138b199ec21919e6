import { setTimeout as sleep } from 'node:timers/promises';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { endLead, leads } from '../../db/ledger/shards/shard-leases.ts';
import type { Log } from '../../process/log.ts';

export interface UpkeepTask {
  readonly act: () => Promise<unknown>;
  /** Optional. Default: every round. */
  readonly everyMs?: number;
  readonly onFailed: (reason: string) => void;
}

export interface LeadUpkeep {
  readonly pool: HotPool;
  readonly holder: string;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

const NAME = 'upkeep';
const ROUND_MS = 5_000;

/**
 * Runs the upkeep of the whole installation on one worker: the one that holds the leader's lease, which is three rounds
 * long. A task that is still busy skips a round.
 */
export async function leadUpkeep(
  { pool, holder, stopping, log }: LeadUpkeep,
  tasks: readonly UpkeepTask[],
): Promise<void> {
  const running = new Map<UpkeepTask, Promise<void>>();
  const ranAtMs = new Map<UpkeepTask, number>();
  let isLeader = false;
  while (!stopping.aborted) {
    try {
      const isElected = await leads(pool, { name: NAME, holder });
      if (isElected !== isLeader) log.info(isElected ? 'leader.elected' : 'leader.replaced', { holder });
      isLeader = isElected;
    } catch (error) {
      isLeader = false;
      log.warn('leader.electFailed', { reason: reasonOf(error) });
    }
    if (isLeader) for (const task of tasks) startIfDue(task);
    await sleep(ROUND_MS * (0.8 + Math.random() * 0.4), undefined, { signal: stopping }).catch(() => undefined);
  }
  await Promise.all(running.values());
  if (isLeader) await endLead(pool, { name: NAME, holder }).catch(() => undefined);

  function startIfDue(task: UpkeepTask): void {
    const lastMs = ranAtMs.get(task) ?? Number.NEGATIVE_INFINITY;
    if (running.has(task) || performance.now() - lastMs < (task.everyMs ?? 0)) return;
    ranAtMs.set(task, performance.now());
    const run = task.act().then(
      () => undefined,
      (error: unknown) => {
        ranAtMs.delete(task); // repeated in the next round
        task.onFailed(reasonOf(error));
      },
    );
    running.set(
      task,
      run.finally(() => running.delete(task)),
    );
  }
}

/** Without a stack, because it is logged every few seconds while a server is unavailable. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
