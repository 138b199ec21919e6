import type { HotPool } from '../../../db/core/hot-pool.ts';

export interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

/** Calls a function for each statement, with another one that executes it. */
export function interceptedPool(
  pool: HotPool,
  act: (statement: Statement, execute: () => Promise<unknown>) => Promise<unknown>,
): HotPool {
  const query = (asked: string | Statement, values?: unknown[]) =>
    act(typeof asked === 'string' ? { text: asked } : asked, () => pool.query(asked as string, values));
  return Object.create(pool, { query: { value: query } }) as HotPool;
}
