import { setTimeout as sleep } from 'node:timers/promises';
import type { HotPool } from '../../db/core/hot-pool.ts';

const POLL_MS = 500;

/** Due retries as an operator sees them: the row says when, and the attempt that follows says whether it was so. */
const dueSql = `
select id, attempt_count + 1 as number, extract(epoch from next_attempt_at)::float8 * 1000 as "dueAtMs"
from deliveries where status = 'retrying'
`;
const madeSql = `
select delivery_id as id, number, extract(epoch from started_at)::float8 * 1000 as "startedAtMs"
from attempts where number > 1 and delivery_id = any ($1::bigint[])
`;

export interface RetryWatch {
  /** Returns how late each retry was, in milliseconds. One that is due but was not made counts until now. */
  stop(): Promise<number[]>;
}

export function watchRetries(pool: HotPool): RetryWatch {
  const dueAtMs = new Map<string, number>();
  let isWatching = true;
  const keyOf = ({ id, number }: { id: number; number: number }): string => `${id}/${number}`;
  const watching = (async () => {
    while (isWatching) {
      const { rows } = await pool.query<{ id: number; number: number; dueAtMs: number }>(dueSql);
      for (const row of rows) dueAtMs.set(keyOf(row), row.dueAtMs);
      await sleep(POLL_MS);
    }
  })();
  return {
    async stop() {
      isWatching = false;
      await watching;
      const ids = [...new Set([...dueAtMs.keys()].map((key) => Number(key.split('/')[0])))];
      const { rows } = await pool.query<{ id: number; number: number; startedAtMs: number }>(madeSql, [ids]);
      const startedAtMs = new Map(rows.map((row) => [keyOf(row), row.startedAtMs]));
      const nowMs = Date.now();
      return [...dueAtMs]
        .filter(([key, due]) => startedAtMs.has(key) || due < nowMs)
        .map(([key, due]) => Math.max((startedAtMs.get(key) ?? nowMs) - due, 0));
    },
  };
}
