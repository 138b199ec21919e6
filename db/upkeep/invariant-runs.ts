import type { Knex } from 'knex';
import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';

/** Rows that break a rule. */
export interface Violations {
  readonly count: number;
  /** Public ids of a few of them. */
  readonly samples: readonly string[];
}

export interface InvariantRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** How many events and deliveries were looked at. */
  readonly eventCount: number;
  readonly deliveryCount: number;
  /** Of every rule, also of those that hold. */
  readonly violations: Readonly<Record<InvariantRule, Violations>>;
}

interface RunRow {
  started_at: Date;
  ended_at: Date;
  event_count: number;
  delivery_count: number;
  violations: Partial<Record<InvariantRule, Violations>>;
}

/** Stores what a check has found; a repeat of the same check takes its place. */
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

/** What the last check found, rule by rule, for gauges and for people; undefined where there was none yet. */
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

/** How the daily check stands. */
export interface CheckStanding {
  readonly run: InvariantRun | undefined;
  /** When the last one ended; where there was none yet, when the installation was made. */
  readonly since: Date;
}

export async function readCheckStanding(db: Knex): Promise<CheckStanding> {
  const run = await readInvariants(db);
  if (run) return { run, since: run.endedAt };
  const installation = await db<{ created_at: Date }>('installation').first('created_at');
  return { run, since: installation?.created_at ?? new Date() };
}

/** A value for every rule. */
export function violationsOf(valueOf: (rule: InvariantRule) => Violations): Record<InvariantRule, Violations> {
  // The keys are those of the table of rules, which no type can follow through `Object.keys`.
  const rules = Object.keys(invariantRules) as InvariantRule[];
  return Object.fromEntries(rules.map((rule) => [rule, valueOf(rule)])) as Record<InvariantRule, Violations>;
}
