import type { UpkeepState } from '../db/upkeep/upkeep-state.ts';
import type { MetricRegistry } from './registry.ts';

export interface UpkeepSource {
  readonly read: () => Promise<UpkeepState>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** Both change by the hour. */
const FRESH_FOR_MS = 60_000;

/** All workers report the same values. If the database cannot be read, the values disappear. */
export function addUpkeepMetrics(registry: MetricRegistry, { read, now }: UpkeepSource): void {
  const retention = registry.gauge({
    name: 'channels_retention_age_seconds',
    help: 'Time since retention last finished a task, or since the installation before the first time.',
  });
  const credentials = registry.gauge({
    name: 'channels_credentials_ending',
    help: 'Credentials of connected accounts that end soon or have ended, and could not be refreshed.',
  });
  let readAtMs = Number.NEGATIVE_INFINITY;
  registry.beforeExposition(async () => {
    if (now() - readAtMs < FRESH_FOR_MS) return;
    for (const gauge of [retention, credentials]) gauge.clear();
    const state = await read();
    readAtMs = now();
    for (const { task, seconds } of state.retention) retention.set(seconds, { task });
    credentials.set(state.endingCredentialCount);
  });
}
