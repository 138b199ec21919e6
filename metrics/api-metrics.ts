import type { TryBound } from '../db/people/code-tries.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { createMetricRegistry, type MetricRegistry } from './registry.ts';

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
  const ingest = registry.counters({
    channels_events_accepted_total: 'New events of known channels.',
    channels_events_deduplicated_total: 'Repeated items from the platform.',
    channels_events_unrouted_total: 'New items of unknown channels, kept for staff.',
    channels_signatures_rejected_total: 'Bodies with a missing or wrong signature.',
    channels_accept_failures_total: 'Failed commits of events; the platform retries them.',
  });
  for (const counter of Object.values(ingest)) counter.add(0);
  const acceptTimes = registry.histogram({
    name: 'channels_accept_seconds',
    help: 'Time from the last byte of a body to its commit.',
    bounds: latencyBounds,
  });
  const sizes = registry.histogram({
    name: 'channels_commit_items',
    help: 'Items per commit.',
    bounds: COMMIT_BOUNDS,
  });
  const requestTimes = registry.histogram({
    name: 'channels_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its response, without streams.',
    bounds: latencyBounds,
  });
  const calls = registry.counters({
    channels_http_requests_total: 'Requests by route and status.',
    channels_workflow_calls_total: 'Workflow calls by the API, by result.',
    channels_email_codes_refused_total: 'Email codes that were wrong, or rejected by a limit on wrong codes.',
  });
  const open = registry.gauges({
    channels_event_streams: 'Open event streams.',
    channels_body_bytes_in_flight: 'Bytes of request bodies in memory; the limit is BODY_BYTES_IN_FLIGHT.',
  });
  return {
    register: registry,
    committed({ itemCount, eventCount, unroutedCount }) {
      sizes.observe(itemCount);
      ingest.channels_events_accepted_total.add(eventCount);
      ingest.channels_events_unrouted_total.add(unroutedCount);
      ingest.channels_events_deduplicated_total.add(Math.max(0, itemCount - eventCount - unroutedCount));
    },
    commitFailed: () => ingest.channels_accept_failures_total.add(1),
    accepted: (seconds) => acceptTimes.observe(seconds),
    signatureRejected: () => ingest.channels_signatures_rejected_total.add(1),
    requestServed({ method, route, status, seconds }) {
      const labels = { method: METHODS.has(method) ? method : 'other', route: route ?? 'none', status };
      calls.channels_http_requests_total.add(1, labels);
      if (route?.endsWith('/stream') !== true) requestTimes.observe(seconds);
    },
    codeRefused: (reason) => calls.channels_email_codes_refused_total.add(1, { reason }),
    workflowStarted: (workflow, state) => calls.channels_workflow_calls_total.add(1, { workflow, state }),
    streams: (count) => registry.beforeExposition(() => open.channels_event_streams.set(count())),
    bodies: (bytes) => registry.beforeExposition(() => open.channels_body_bytes_in_flight.set(bytes())),
  };
}
