import type { MetricRegistry } from './registry.ts';

export interface PumpTurn {
  readonly shard: number;
  /** Since the pump's loop last began a round. */
  readonly turnedAgoMs: number;
}

export interface PumpMetrics {
  claimed(claim: { readonly shard: number; readonly durationMs: number }): void;
  settled(settlement: { readonly outcome: 'accepted' | 'failed'; readonly durationMs: number }): void;
  /** A round of the worker: renewal of all leases, and acquisitions. */
  leasesRenewed(durationMs: number): void;
  /** How far the worker's clock is ahead of the database's, beyond the time of the question. Negative if it is behind. */
  clockCompared(aheadMs: number): void;
  /** The first attempt of a delivery whose destination kept up. */
  firstAttempt(delayMs: number): void;
  /** A first attempt that waited for its receiver, which the objective leaves out. */
  heldBack(): void;
  /** Undefined if the worker runs no pumps. */
  pumps(read: () => readonly PumpTurn[] | undefined): void;
}

/** Few, because each shard has its own. */
const CLAIM_BOUNDS = [0.005, 0.02, 0.1, 0.5, 2, 10];
const STATEMENT_BOUNDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** The objective's bound is one of them. */
const DELAY_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

export function addPumpMetrics(registry: MetricRegistry): PumpMetrics {
  return { ...firstAttempts(registry), ...loops(registry), ...statements(registry) };
}

function statements(
  registry: MetricRegistry,
): Pick<PumpMetrics, 'claimed' | 'settled' | 'leasesRenewed' | 'clockCompared'> {
  const claims = registry.histogram({
    name: 'channels_claim_seconds',
    help: 'Time that a pump waited for the deliveries it claimed, by shard.',
    bounds: CLAIM_BOUNDS,
  });
  const settlements = registry.histogram({
    name: 'channels_settlement_seconds',
    help: 'Time to record a batch of attempts, by outcome.',
    bounds: STATEMENT_BOUNDS,
  });
  const rounds = registry.histogram({
    name: 'channels_lease_round_seconds',
    help: 'Time to renew all leases of the worker and to acquire others. A lease lasts a few seconds.',
    bounds: STATEMENT_BOUNDS,
  });
  const ahead = registry.gauge({
    name: 'channels_clock_ahead_seconds',
    help: "How far the worker's clock is ahead of the database's. A worker serves no shards beyond 5 s, ahead or behind.",
  });
  return {
    clockCompared: (aheadMs) => ahead.set(aheadMs / 1_000),
    claimed: ({ shard, durationMs }) => claims.observe(durationMs / 1_000, { shard }),
    settled: ({ outcome, durationMs }) => settlements.observe(durationMs / 1_000, { outcome }),
    leasesRenewed: (durationMs) => rounds.observe(durationMs / 1_000),
  };
}

function firstAttempts(registry: MetricRegistry): Pick<PumpMetrics, 'firstAttempt' | 'heldBack'> {
  const delays = registry.histogram({
    name: 'channels_first_attempt_delay_seconds',
    help: 'Time from accepting an event to the first attempt of its delivery, for destinations that keep up.',
    bounds: DELAY_BOUNDS,
  });
  const heldBack = registry.counter({
    name: 'channels_first_attempts_held_back_total',
    help: 'First attempts that waited for their receiver.',
  });
  heldBack.add(0);
  return { firstAttempt: (delayMs) => delays.observe(Math.max(0, delayMs) / 1_000), heldBack: () => heldBack.add(1) };
}

function loops(registry: MetricRegistry): Pick<PumpMetrics, 'pumps'> {
  const held = registry.gauge({ name: 'channels_shard_held', help: '1 for each shard that this worker serves.' });
  const count = registry.gauge({ name: 'channels_shards_held', help: 'Shards that this worker serves.' });
  const age = registry.gauge({
    name: 'channels_pump_round_age_seconds',
    help: 'Time since the pump of a shard last began a round, by shard. Half a second without deliveries.',
  });
  return {
    pumps: (read) =>
      registry.beforeExposition(() => {
        [held, count, age].forEach((gauge) => gauge.clear());
        const pumps = read();
        if (pumps) count.set(pumps.length);
        for (const { shard, turnedAgoMs } of pumps ?? []) {
          held.set(1, { shard });
          age.set(turnedAgoMs / 1_000, { shard });
        }
      }),
  };
}
