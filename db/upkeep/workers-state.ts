import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardService } from '../ledger/shards/fleet.ts';

/** `missing`: no worker serves some of the shards, so that their deliveries wait. `unknown`: the database did not say. */
export type WorkersState = 'ok' | 'missing' | 'unknown';

export interface WorkersWatch {
  readonly read: () => Promise<ShardService>;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Probes ask every few seconds, and so may anyone who reaches the process. */
const FRESH_FOR_MS = 5_000;
/** Orchestrators give a probe up after a few seconds. */
const ANSWER_WITHIN_MS = 2_000;
/** Live workers take a free shard within two seconds. */
const MISSING_AFTER_SECONDS = 5;

/** Returns a function that asks the database at most every few seconds. */
export function watchWorkers({ read, now = () => performance.now() }: WorkersWatch): () => Promise<WorkersState> {
  let asked: { readonly atMs: number; readonly state: Promise<WorkersState> } | undefined;
  return () => {
    if (!asked || now() - asked.atMs >= FRESH_FOR_MS) {
      const late = sleep(ANSWER_WITHIN_MS, 'unknown' as const, { ref: false });
      asked = { atMs: now(), state: Promise.race([read().then(stateOf, unknown), late]) };
    }
    return asked.state;
  };
}

function stateOf({ unservedSeconds }: ShardService): WorkersState {
  return unservedSeconds > MISSING_AFTER_SECONDS ? 'missing' : 'ok';
}

const unknown = (): WorkersState => 'unknown';
