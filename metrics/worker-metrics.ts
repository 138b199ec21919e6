import { addBacklogMetrics, type BacklogSource } from './backlog-metrics.ts';
import { addEgressMetrics, type EgressMetrics } from './egress-metrics.ts';
import { addLeaseMetrics, type LeaseSource } from './lease-metrics.ts';
import { addInvariantMetrics, type InvariantSource } from './invariant-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import type { MetricRegistry } from './registry.ts';
import { createMetricRegistry } from './registry.ts';

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
  backlog(source: BacklogSource): void;
  invariants(source: InvariantSource): void;
  leases(source: LeaseSource): void;
}

export type MovedStatus = 'delivered' | 'retrying' | 'exhausted' | 'cancelled' | 'skipped';
const statuses = ['delivered', 'retrying', 'exhausted', 'cancelled', 'skipped'] as const satisfies MovedStatus[];

/** In seconds. Deliveries can take days. */
const ATTEMPT_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const DELIVERY_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400];

export function createWorkerMeter(registry: MetricRegistry = createMetricRegistry()): WorkerMeter {
  addProcessMetrics(registry);
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
    register: registry,
    attempted({ outcome, durationMs }) {
      attempts.add(1, { outcome });
      attemptTimes.observe(durationMs / 1000, { outcome });
    },
    ownFault: () => faults.add(1),
    moved: (status, count) => deliveries.add(count, { status }),
    delivered: (sinceAcceptedMs) => deliveryTimes.observe(Math.max(0, sinceAcceptedMs) / 1000),
    workflowStarted: (start) => workflows.add(1, start),
    egress: addEgressMetrics(registry),
    backlog: (source) => addBacklogMetrics(registry, source),
    invariants: (source) => addInvariantMetrics(registry, source),
    leases: (source) => addLeaseMetrics(registry, source),
  };
}
