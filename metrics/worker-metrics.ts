import { addBacklogMetrics, type BacklogSource } from './backlog-metrics.ts';
import { addEgressMetrics, type EgressMetrics } from './egress-metrics.ts';
import { addLeaseMetrics, type LeaseSource } from './lease-metrics.ts';
import { addDatabaseMetrics, type DatabaseSource } from './database-metrics.ts';
import { addInvariantMetrics, type InvariantSource } from './invariant-metrics.ts';
import { addPumpMetrics, type PumpMetrics } from './pump-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import type { MetricRegistry } from './registry.ts';
import { createMetricRegistry } from './registry.ts';
import { addTemporalMetrics, type TemporalSource } from './temporal-metrics.ts';
import { addUpkeepMetrics, type UpkeepSource } from './upkeep-metrics.ts';

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
  backlog(source: BacklogSource): void;
  invariants(source: InvariantSource): void;
  leases(source: LeaseSource): void;
  database(source: DatabaseSource): void;
  upkeep(source: UpkeepSource): void;
  temporal(source: TemporalSource): void;
}

export type MovedStatus = 'delivered' | 'retrying' | 'exhausted' | 'cancelled' | 'skipped';
const statuses = ['delivered', 'retrying', 'exhausted', 'cancelled', 'skipped'] as const satisfies MovedStatus[];

/** In seconds. Deliveries can take days. */
const ATTEMPT_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const DELIVERY_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400];

export function createWorkerMeter(registry: MetricRegistry = createMetricRegistry()): WorkerMeter {
  addProcessMetrics(registry);
  return {
    register: registry,
    ...deliveryInstruments(registry),
    egress: addEgressMetrics(registry),
    pump: addPumpMetrics(registry),
    backlog: (source) => addBacklogMetrics(registry, source),
    invariants: (source) => addInvariantMetrics(registry, source),
    leases: (source) => addLeaseMetrics(registry, source),
    database: (source) => addDatabaseMetrics(registry, source),
    upkeep: (source) => addUpkeepMetrics(registry, source),
    temporal: (source) => addTemporalMetrics(registry, source),
  };
}

function deliveryInstruments(registry: MetricRegistry) {
  const attempts = registry.counter({ name: 'channels_attempts_total', help: 'Attempts by outcome.' });
  const attemptTimes = registry.histogram({
    name: 'channels_attempt_seconds',
    help: 'Duration of attempts by outcome.',
    bounds: ATTEMPT_BOUNDS,
  });
  const faults = registry.counter({
    name: 'channels_own_faults_total',
    help: 'Attempts not made because of an error in the service.',
  });
  const deliveries = registry.counter({
    name: 'channels_deliveries_total',
    help: 'Deliveries that this worker moved to a state.',
  });
  const deliveryTimes = registry.histogram({
    name: 'channels_delivery_seconds',
    help: 'Time from accepting an event to the first 2xx of its delivery.',
    bounds: DELIVERY_BOUNDS,
  });
  const workflows = registry.counter({
    name: 'channels_workflows_started_total',
    help: 'Workflows that this worker started or restarted.',
  });
  faults.add(0);
  for (const status of statuses) deliveries.add(0, { status });
  return {
    attempted({ outcome, durationMs }: Parameters<WorkerMeter['attempted']>[0]) {
      attempts.add(1, { outcome });
      attemptTimes.observe(durationMs / 1000, { outcome });
    },
    ownFault: () => faults.add(1),
    moved: (status: MovedStatus, count: number) => deliveries.add(count, { status }),
    delivered: (sinceAcceptedMs: number) => deliveryTimes.observe(Math.max(0, sinceAcceptedMs) / 1000),
    workflowStarted: (start: Parameters<WorkerMeter['workflowStarted']>[0]) => workflows.add(1, start),
  };
}
