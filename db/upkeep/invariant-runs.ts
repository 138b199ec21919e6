import type { Knex } from 'knex';
import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';

export interface Violations {
  readonly count: number;
  readonly samples: readonly string[];
}

export interface InvariantRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly eventCount: number;
  readonly deliveryCount: number;
  readonly violations: Readonly<Record<InvariantRule, Violations>>;
}

interface RunRow {
  started_at: Date;
  ended_at: Date;
  event_count: number;
  delivery_count: number;
  violations: Partial<Record<InvariantRule, Violations>>;
}

export async function recordInvariantRun(db: Knex, run: Omit<InvariantRun, 'endedAt'>): Promise<void> {
  await db.raw(
    `insert into invariant_runs (started_at, ended_at, event_count, delivery_count, violations)
     values (:startedAt, greatest(now(), :startedAt), :eventCount, :deliveryCount, :violations)
     on conflict (started_at) do update set ended_at = excluded.ended_at, event_count = excluded.event_count,
       delivery_count = excluded.delivery_count, violations = excluded.violations`,
    {
      startedAt: run.startedAt,
      eventCount: run.eventCount,
      deliveryCount: run.deliveryCount,
      violations: JSON.stringify(run.violations),
    },
  );
}

/** Returns undefined before the first check. */
export async function readInvariants(db: Knex): Promise<InvariantRun | undefined> {
  const row = await db<RunRow>('invariant_runs').orderBy('started_at', 'desc').first();
  if (!row) return undefined;
  return {
    startedAt: row.started_at,
    endedAt: row.ended_at,
    eventCount: row.event_count,
    deliveryCount: row.delivery_count,
    violations: violationsOf((rule) => row.violations[rule] ?? { count: 0, samples: [] }),
  };
}

export interface InvariantCheckState {
  readonly run: InvariantRun | undefined;
  /** Before the first check, when the installation was created. */
  readonly since: Date;
}

export async function readInvariantCheckState(db: Knex): Promise<InvariantCheckState> {
  const run = await readInvariants(db);
  if (run) return { run, since: run.endedAt };
  const installation = await db<{ created_at: Date }>('installation').first('created_at');
  return { run, since: installation?.created_at ?? new Date() };
}

export function violationsOf(valueOf: (rule: InvariantRule) => Violations): Record<InvariantRule, Violations> {
  // `Object.keys` loses the key type.
  const rules = Object.keys(invariantRules) as InvariantRule[];
  return Object.fromEntries(rules.map((rule) => [rule, valueOf(rule)])) as Record<InvariantRule, Violations>;
}
