import type { ExecutionContext } from 'ava';
import { createHotPool, type HotPool, type HotPoolOptions } from '../../../db/core/hot-pool.ts';
import { unansweredAfter } from '../../../db/core/unanswered.ts';
import { PATIENCE_MS } from './connect-patiently.ts';

type TestPoolOptions = Partial<Pick<HotPoolOptions, 'connections' | 'prunesPartitions'>>;

/** Waits longer for connections and statements than the service does, so that a busy machine fails no test. */
export function testHotPool(t: ExecutionContext<unknown>, url: string, options: TestPoolOptions = {}): HotPool {
  const pool = createHotPool({
    url,
    connections: 2,
    ...options,
    applicationName: 'test',
    connectWithinMs: PATIENCE_MS,
    onError: () => undefined,
  });
  // A pool closes what is idle for ten seconds, also a connection with an open transaction.
  const timeouts = { statement_timeout: PATIENCE_MS, idleTimeoutMillis: PATIENCE_MS };
  Object.assign(pool.options, timeouts, unansweredAfter(PATIENCE_MS));
  // AVA runs teardowns last in, first out: the pool ends before the database is dropped.
  t.teardown(() => pool.end());
  return pool;
}
