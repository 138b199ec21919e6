import { addProcessMetrics } from './process-metrics.ts';
import { createMetricRegistry, type MetricRegistry } from './registry.ts';

export type GatewayOutcome =
  | 'answered'
  | 'platform_refused'
  /** The platform did not respond, or only in part. */
  | 'platform_silent'
  | 'refused'
  | 'caller_gone'
  /** An internal error. */
  | 'failed';

export interface GatewayCall {
  /** `none` if no token identified a channel. */
  readonly product: string;
  readonly outcome: GatewayOutcome;
  /** Set if the gateway rejected the call. */
  readonly code?: string | undefined;
  /** From the request's headers to the end of the response. */
  readonly totalMs: number;
  readonly platformMs: number;
}

/** Health checks are not counted. */
export interface GatewayMeter {
  readonly register: MetricRegistry;
  /** Returns a function to call at the end. */
  began(): () => void;
  ended(call: GatewayCall): void;
  platformCalled(call: { purpose: 'call' | 'owner_look_up'; status: number | null; durationMs: number }): void;
  bodies(bytesInFlight: () => number): void;
  /** On a miss, the gateway asks the platform for the owner. */
  ownerLookedUp(found: 'hit' | 'miss'): void;
}

const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createGatewayMeter(registry: MetricRegistry = createMetricRegistry()): GatewayMeter {
  addProcessMetrics(registry);
  const counters = registry.counters({
    channels_gateway_calls_total: 'Calls by product and outcome.',
    channels_gateway_refusals_total: 'Calls rejected by the gateway, by error code.',
    channels_gateway_owner_lookups_total:
      'Lookups of object owners: cached (hit) or requested from the platform (miss).',
  });
  const gauges = registry.gauges({
    channels_gateway_calls_in_flight: 'Calls in flight.',
    channels_gateway_body_bytes_in_flight: 'Bytes of request bodies in memory; the limit is BODY_BYTES_IN_FLIGHT.',
  });
  const { channels_gateway_calls_in_flight: inFlight } = gauges;
  const times = latencies(registry);
  let underWay = 0;
  inFlight.set(0);
  for (const found of ['hit', 'miss']) counters.channels_gateway_owner_lookups_total.add(0, { found });
  return {
    register: registry,
    began() {
      inFlight.set(++underWay);
      return () => inFlight.set(--underWay);
    },
    ended({ product, outcome, code, totalMs, platformMs }) {
      counters.channels_gateway_calls_total.add(1, { product, outcome });
      if (code !== undefined) counters.channels_gateway_refusals_total.add(1, { code });
      times.call.observe(totalMs / 1000, { product });
      times.added.observe(Math.max(0, totalMs - platformMs) / 1000);
    },
    platformCalled({ purpose, status, durationMs }) {
      const answer = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
      times.platform.observe(durationMs / 1000, { purpose, answer });
    },
    bodies: (bytes) => registry.beforeExposition(() => gauges.channels_gateway_body_bytes_in_flight.set(bytes())),
    ownerLookedUp: (found) => counters.channels_gateway_owner_lookups_total.add(1, { found }),
  };
}

function latencies(registry: MetricRegistry) {
  const call = registry.histogram({
    name: 'channels_gateway_call_seconds',
    help: 'Time from the headers of a call to the end of its response, by product.',
    bounds: latencyBounds,
  });
  const added = registry.histogram({
    name: 'channels_gateway_added_seconds',
    help: 'The part of that time not spent at the platform.',
    bounds: latencyBounds,
  });
  const platform = registry.histogram({
    name: 'channels_gateway_platform_seconds',
    help: 'Duration of requests to the platform, by purpose and response.',
    bounds: latencyBounds,
  });
  return { call, added, platform };
}
