import type { ExecutionContext } from 'ava';
import { createHotPool, type HotPool, type HotPoolOptions } from '../../../db/core/hot-pool.ts';

const CONNECT_WITHIN_MS = 30_000;

type TestPoolOptions = Partial<Pick<HotPoolOptions, 'connections' | 'prunesPartitions'>>;

/** Waits longer for a connection than the service does, so that a busy machine fails no test. */
export function testHotPool(t: ExecutionContext<unknown>, url: string, options: TestPoolOptions = {}): HotPool {
  const pool = createHotPool({
    url,
    connections: 2,
    ...options,
    applicationName: 'test',
    connectWithinMs: CONNECT_WITHIN_MS,
    onError: () => undefined,
  });
  // AVA runs teardowns last in, first out: the pool ends before the database is dropped.
  t.teardown(() => pool.end());
  return pool;
}
