import type { InvariantCheckState } from '../db/upkeep/invariant-runs.ts';
import type { MetricRegistry } from './registry.ts';

export interface InvariantSource {
  readonly read: () => Promise<InvariantCheckState>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The check runs once a day. */
const FRESH_FOR_MS = 60_000;

/**
 * If the findings cannot be read, the values disappear. Before the first check, the age counts from the installation.
 */
export function addInvariantMetrics(registry: MetricRegistry, { read, now }: InvariantSource): void {
  const violations = registry.gauge({
    name: 'channels_invariant_violations',
    help: 'Rows that violated a rule of the ledger at the last check.',
  });
  const age = registry.gauge({
    name: 'channels_invariants_age_seconds',
    help: 'Time since the last check of the ledger, or since the installation before the first check.',
  });
  let known: InvariantCheckState | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;

  registry.beforeExposition(async () => {
    if (now() - readAtMs >= FRESH_FOR_MS) {
      known = await read().catch((error: unknown) => {
        for (const gauge of [violations, age]) gauge.clear();
        known = undefined;
        throw error;
      });
      readAtMs = now();
    }
    if (!known) return;
    age.set(Math.max(0, (now() - known.since.getTime()) / 1000));
    if (!known.run) return;
    for (const [rule, { count }] of Object.entries(known.run.violations)) violations.set(count, { rule });
  });
}
