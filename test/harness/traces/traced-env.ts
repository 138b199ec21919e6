import type { Collector } from './otlp-collector.ts';

/** The settings of processes that trace everything. */
export function tracedEnv({ url }: Pick<Collector, 'url'>): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'parentbased_always_on' };
}
