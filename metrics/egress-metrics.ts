import type { MetricRegistry } from './registry.ts';

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

const WAIT_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function addEgressMetrics(registry: MetricRegistry): EgressMetrics {
  const connections = registry.gauge({
    name: 'channels_connections',
    help: 'Connections to receivers by state; the limit of their sum is WORKER_CONNECTIONS.',
  });
  const waiting = registry.gauge({
    name: 'channels_requests_waiting',
    help: 'Requests to receivers that wait for a connection.',
  });
  const oldest = registry.gauge({
    name: 'channels_oldest_request_wait_seconds',
    help: 'How long the oldest of them has waited.',
  });
  const waits = registry.histogram({
    name: 'channels_connection_wait_seconds',
    help: 'Time that requests waited for a connection, without those that found one at once.',
    bounds: WAIT_BOUNDS,
  });
  const notSent = registry.counter({
    name: 'channels_requests_not_sent_total',
    help: 'Requests dropped before they were sent, by reason.',
  });
  return {
    waited: (waitedMs) => waits.observe(waitedMs / 1_000),
    notSent: (reason) => notSent.add(1, { reason }),
    watch: (read) =>
      registry.beforeExposition(() => {
        const counts = read();
        connections.set(counts.inUse, { state: 'in_use' });
        connections.set(counts.idle, { state: 'idle' });
        waiting.set(counts.waiting);
        oldest.set(counts.oldestWaitMs / 1_000);
      }),
  };
}
