import type { Log } from '../log.ts';
import type { TraceSampler } from '../trace-settings.ts';
import { noTraces, type Traces } from './traces.ts';

export interface TraceConfig {
  readonly otlpEndpoint: string | undefined;
  readonly tracesSampler: TraceSampler;
  readonly tracesSamplerRatio: number;
  readonly otelServiceName: string | undefined;
  readonly otelResourceAttributes: Readonly<Record<string, string>>;
}

export interface StartTraces {
  readonly process: 'api' | 'worker' | 'gateway';
  readonly config: TraceConfig;
  readonly log: Log;
}

/** Loads OpenTelemetry only if an endpoint is set, because it takes about 25 MB and 120 ms. */
export async function startTraces({ process, config, log }: StartTraces): Promise<Traces> {
  const { otlpEndpoint: endpoint, otelServiceName: serviceName = `messaging-channels-${process}` } = config;
  if (endpoint === undefined) return noTraces;
  const { createTraces } = await import('./create-traces.ts');
  const { tracesSampler: sampler, tracesSamplerRatio: ratio, otelResourceAttributes: attributes } = config;
  log.info('traces.started', { endpoint: new URL(endpoint).origin, sampler, ratio, serviceName });
  return createTraces({ endpoint, sampler, ratio, serviceName, attributes, log });
}
