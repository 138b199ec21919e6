import type { World } from './world.ts';

export interface AttackCase {
  readonly name: string;
  readonly expectation: string;
  /** Returns undefined if the service withstood the attempt, otherwise what it let through. */
  attempt(): Promise<string | undefined>;
  /** Optional; `CASE_DEADLINE_MS` by default. */
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
