import type { TryBound } from '../db/people/code-tries.ts';
import { addProcessMetrics } from './process-metrics.ts';
import type { MetricRegistry } from './registry.ts';
import { createMetricRegistry } from './registry.ts';

export interface ApiMeter {
  readonly register: MetricRegistry;
  committed(commit: { itemCount: number; eventCount: number; unroutedCount: number }): void;
  /** The platform receives an error and retries. */
  commitFailed(): void;
  /** From the last byte of a body to its commit. */
  accepted(seconds: number): void;
  signatureRejected(): void;
  codeRefused(reason: 'wrong' | TryBound): void;
  /** `route` is the router's path; undefined if no route matched. */
  requestServed(request: { method: string; route: string | undefined; status: number; seconds: number }): void;
  workflowStarted(workflow: string, state: string): void;
  streams(count: () => number): void;
  bodies(bytesInFlight: () => number): void;
}

/** In seconds. */
const latencyBounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const COMMIT_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createApiMeter(registry: MetricRegistry = createMetricRegistry()): ApiMeter {
  addProcessMetrics(registry);
  const ingest = ingestInstruments(registry);
  const requests = registry.counter({ name: 'channels_http_requests_total', help: 'Requests by route and status.' });
  const times = registry.histogram({
    name: 'channels_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its response, without streams.',
    bounds: latencyBounds,
  });
  const workflows = registry.counter({
    name: 'channels_workflow_calls_total',
    help: 'Workflow calls by the API, by result.',
  });
  const codes = registry.counter({
    name: 'channels_email_codes_refused_total',
    help: 'Email codes that were wrong, or rejected by a limit on wrong codes.',
  });
  const open = registry.gauge({ name: 'channels_event_streams', help: 'Open event streams.' });
  const bodies = registry.gauge({
    name: 'channels_body_bytes_in_flight',
    help: 'Bytes of request bodies in memory; the limit is BODY_BYTES_IN_FLIGHT.',
  });
  return {
    register: registry,
    ...ingest,
    requestServed({ method, route, status, seconds }) {
      const labels = { method: METHODS.has(method) ? method : 'other', route: route ?? 'none', status };
      requests.add(1, labels);
      if (route?.endsWith('/stream') !== true) times.observe(seconds);
    },
    codeRefused: (reason) => codes.add(1, { reason }),
    workflowStarted: (workflow, state) => workflows.add(1, { workflow, state }),
    streams: (count) => registry.beforeExposition(() => open.set(count())),
    bodies: (bytesInFlight) => registry.beforeExposition(() => bodies.set(bytesInFlight())),
  };
}

function ingestInstruments(registry: MetricRegistry) {
  const events = registry.counter({ name: 'channels_events_accepted_total', help: 'New events of known channels.' });
  const repeated = registry.counter({
    name: 'channels_events_deduplicated_total',
    help: 'Repeated items from the platform.',
  });
  const unrouted = registry.counter({
    name: 'channels_events_unrouted_total',
    help: 'New items of unknown channels, kept for staff.',
  });
  const rejected = registry.counter({
    name: 'channels_signatures_rejected_total',
    help: 'Bodies with a missing or wrong signature.',
  });
  const failures = registry.counter({
    name: 'channels_accept_failures_total',
    help: 'Failed commits of events; the platform retries them.',
  });
  const seconds = registry.histogram({
    name: 'channels_accept_seconds',
    help: 'Time from the last byte of a body to its commit.',
    bounds: latencyBounds,
  });
  const sizes = registry.histogram({
    name: 'channels_commit_items',
    help: 'Items per commit.',
    bounds: COMMIT_BOUNDS,
  });
  for (const counter of [events, repeated, unrouted, rejected, failures]) counter.add(0);
  return {
    committed({ itemCount, eventCount, unroutedCount }: Parameters<ApiMeter['committed']>[0]) {
      sizes.observe(itemCount);
      events.add(eventCount);
      unrouted.add(unroutedCount);
      repeated.add(Math.max(0, itemCount - eventCount - unroutedCount));
    },
    commitFailed: () => failures.add(1),
    accepted: (took: number) => seconds.observe(took),
    signatureRejected: () => rejected.add(1),
  };
}
