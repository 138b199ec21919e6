import { addProcessMetrics } from './process-metrics.ts';
import { createMetricRegistry, type MetricRegistry } from './registry.ts';

export interface WorkerMeter {
  readonly register: MetricRegistry;
  /** First attempts, retries, probes and test events. */
  attempted(attempt: { outcome: string; durationMs: number }): void;
  /** Nothing was sent because of an error in the service. */
  ownFault(): void;
  moved(status: MovedStatus, count: number): void;
  delivered(sinceAcceptedMs: number): void;
  workflowStarted(start: { workflow: 'deliverWebhook' | 'destinationCircuit'; how: 'started' | 'adopted' }): void;
  readonly egress: EgressMetrics;
  readonly pump: PumpMetrics;
}

export interface ConnectionCounts {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
  readonly oldestWaitMs: number;
}

export interface EgressMetrics {
  waited(waitedMs: number): void;
  notSent(reason: string): void;
  watch(read: () => ConnectionCounts): void;
}

export interface PumpTurn {
  /** Shards that the worker serves. */
  readonly shardCount: number;
  /** Since the pump's loop last began a round. */
  readonly turnedAgoMs: number;
}

export interface PumpMetrics {
  claimed(claim: { readonly durationMs: number }): void;
  /** Accepted deliveries that an API process offered. Declined ones are claimed. */
  offered(offers: { readonly taken: number; readonly declined: number }): void;
  settled(settlement: { readonly outcome: 'accepted' | 'failed'; readonly durationMs: number }): void;
  /** A round of the worker: renewal of all leases, and acquisitions. */
  leasesRenewed(durationMs: number): void;
  /** How far the worker's clock is ahead of the database's, beyond the time of the question. Negative if it is behind. */
  clockCompared(aheadMs: number): void;
  /** The first attempt of a delivery whose destination kept up. */
  firstAttempt(delayMs: number): void;
  /** A first attempt that waited for its receiver, which the objective leaves out. */
  heldBack(): void;
  /** Undefined if the worker runs no pump. */
  watch(read: () => PumpTurn | undefined): void;
}

const statuses = ['delivered', 'retrying', 'exhausted', 'cancelled', 'skipped'] as const;
export type MovedStatus = (typeof statuses)[number];

/** In seconds. Deliveries can take days. */
const ATTEMPT_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const DELIVERY_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400];
const WAIT_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const STATEMENT_BOUNDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** The objective's bound is one of them. */
const DELAY_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

export function createWorkerMeter(registry: MetricRegistry = createMetricRegistry()): WorkerMeter {
  addProcessMetrics(registry);
  const counters = registry.counters({
    channels_attempts_total: 'Attempts by outcome.',
    channels_own_faults_total: 'Attempts not made because of an error in the service.',
    channels_deliveries_total: 'Deliveries that this worker moved to a state.',
    channels_workflows_started_total: 'Workflows that this worker started or restarted.',
  });
  const attemptTimes = registry.histogram({
    name: 'channels_attempt_seconds',
    help: 'Duration of attempts by outcome.',
    bounds: ATTEMPT_BOUNDS,
  });
  const deliveryTimes = registry.histogram({
    name: 'channels_delivery_seconds',
    help: 'Time from accepting an event to the first 2xx of its delivery.',
    bounds: DELIVERY_BOUNDS,
  });
  counters.channels_own_faults_total.add(0);
  for (const status of statuses) counters.channels_deliveries_total.add(0, { status });
  return {
    register: registry,
    attempted({ outcome, durationMs }) {
      counters.channels_attempts_total.add(1, { outcome });
      attemptTimes.observe(durationMs / 1000, { outcome });
    },
    ownFault: () => counters.channels_own_faults_total.add(1),
    moved: (status, count) => counters.channels_deliveries_total.add(count, { status }),
    delivered: (sinceAcceptedMs) => deliveryTimes.observe(Math.max(0, sinceAcceptedMs) / 1000),
    workflowStarted: (start) => counters.channels_workflows_started_total.add(1, start),
    egress: egressMetrics(registry),
    pump: pumpMetrics(registry),
  };
}

function egressMetrics(registry: MetricRegistry): EgressMetrics {
  const gauges = registry.gauges({
    channels_connections: 'Connections to receivers by state; the limit of their sum is WORKER_CONNECTIONS.',
    channels_requests_waiting: 'Requests to receivers that wait for a connection.',
    channels_oldest_request_wait_seconds: 'How long the oldest of them has waited.',
  });
  const waits = registry.histogram({
    name: 'channels_connection_wait_seconds',
    help: 'Time that requests waited for a connection, without those that found one at once.',
    bounds: WAIT_BOUNDS,
  });
  const { channels_requests_not_sent_total: notSent } = registry.counters({
    channels_requests_not_sent_total: 'Requests dropped before they were sent, by reason.',
  });
  return {
    waited: (waitedMs) => waits.observe(waitedMs / 1_000),
    notSent: (reason) => notSent.add(1, { reason }),
    watch: (read) =>
      registry.beforeExposition(() => {
        const counts = read();
        gauges.channels_connections.set(counts.inUse, { state: 'in_use' });
        gauges.channels_connections.set(counts.idle, { state: 'idle' });
        gauges.channels_requests_waiting.set(counts.waiting);
        gauges.channels_oldest_request_wait_seconds.set(counts.oldestWaitMs / 1_000);
      }),
  };
}

function pumpMetrics(registry: MetricRegistry): PumpMetrics {
  const delays = registry.histogram({
    name: 'channels_first_attempt_delay_seconds',
    help: 'Time from accepting an event to the first attempt of its delivery, for destinations that keep up.',
    bounds: DELAY_BOUNDS,
  });
  const { channels_first_attempts_held_back_total: heldBack } = registry.counters({
    channels_first_attempts_held_back_total: 'First attempts that waited for their receiver.',
  });
  heldBack.add(0);
  const { channels_deliveries_offered_total: offers } = registry.counters({
    channels_deliveries_offered_total:
      'Deliveries that API processes offered just after acceptance, by outcome; declined ones are claimed.',
  });
  const loops = registry.gauges({
    channels_shards_held: 'Shards that this worker serves.',
    channels_pump_round_age_seconds:
      "Time since the worker's pump last began a round. About half a second without deliveries, up to two if claims are slow.",
  });
  const claims = registry.histogram({
    name: 'channels_claim_seconds',
    help: 'Time that the pump waited for the deliveries it claimed.',
    bounds: STATEMENT_BOUNDS,
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
  const { channels_clock_ahead_seconds: ahead } = registry.gauges({
    channels_clock_ahead_seconds:
      "How far the worker's clock is ahead of the database's. A worker serves no shards beyond 5 s, ahead or behind.",
  });
  return {
    firstAttempt: (delayMs) => delays.observe(Math.max(0, delayMs) / 1_000),
    heldBack: () => heldBack.add(1),
    watch: (read) =>
      registry.beforeExposition(() => {
        for (const gauge of Object.values(loops)) gauge.clear();
        const turn = read();
        if (!turn) return;
        loops.channels_shards_held.set(turn.shardCount);
        loops.channels_pump_round_age_seconds.set(turn.turnedAgoMs / 1_000);
      }),
    offered({ taken, declined }) {
      offers.add(taken, { outcome: 'taken' });
      offers.add(declined, { outcome: 'declined' });
    },
    claimed: ({ durationMs }) => claims.observe(durationMs / 1_000),
    settled: ({ outcome, durationMs }) => settlements.observe(durationMs / 1_000, { outcome }),
    leasesRenewed: (durationMs) => rounds.observe(durationMs / 1_000),
    clockCompared: (aheadMs) => ahead.set(aheadMs / 1_000),
  };
}
