import type { World } from './world.ts';

export interface AttackCase {
  readonly name: string;
  readonly expectation: string;
  /** Returns undefined if the service refused the attempt, otherwise what it accepted. */
  attempt(): Promise<string | undefined>;
  /** Optional. Default: `CASE_DEADLINE_MS`. */
  readonly deadlineMs?: number;
}

export interface AttackClass {
  readonly name: string;
  readonly concurrency: number;
  /** Returns why the class can't run; undefined if it can. */
  readonly missing?: (world: World) => string | undefined;
  cases(world: World): AttackCase[] | Promise<AttackCase[]>;
}

/** Far above any good answer and far below a request that blocks the process: 40 KB of a bad shape took 14 s. */
export const CASE_DEADLINE_MS = 15_000;
