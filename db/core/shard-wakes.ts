import type { Log } from '../../process/log.ts';
import type { HotPool } from './hot-pool.ts';

/**
 * Notifies pumps of rows that are already committed. PostgreSQL serializes the commits of all transactions that notify,
 * across databases, so a transaction that others wait for must not notify.
 */
export interface ShardWakes {
  /** Returns at once. A lost notification only delays delivery until the pump's next poll. */
  wake(shards: readonly number[]): void;
  idle(): Promise<void>;
}

export interface ShardWakesDeps {
  readonly pool: HotPool;
  readonly log: Pick<Log, 'warn'>;
}

/** Sends one statement at a time. Shards that are woken meanwhile share the next one. */
export function createShardWakes({ pool, log }: ShardWakesDeps): ShardWakes {
  let waiting = new Set<number>();
  let running: Promise<void> | undefined;

  return {
    wake(shards) {
      for (const shard of shards) waiting.add(shard);
      if (waiting.size > 0) running ??= drain();
    },
    async idle() {
      await running;
    },
  };

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      const shards = [...waiting];
      waiting = new Set();
      await notify(shards).catch((error: unknown) =>
        log.warn('wake.notifyFailed', { shardCount: shards.length, error }),
      );
    }
    running = undefined;
  }

  /** Writes no WAL, so its commit waits neither for the disk nor for a standby. */
  async function notify(shards: readonly number[]): Promise<void> {
    await pool.query({
      name: 'wake-shards',
      text: `select pg_notify('deliveries', $1)`,
      values: [shards.join()],
    });
  }
}
