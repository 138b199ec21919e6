import type { CollectedSpan } from './otlp-collector.ts';

/** Returns the names from a span up to the root of its trace. */
export function spanPath(spans: readonly CollectedSpan[], from: CollectedSpan): readonly string[] {
  const parent = spans.find(({ traceId, spanId }) => traceId === from.traceId && spanId === from.parentSpanId);
  return [from.name, ...(parent ? spanPath(spans, parent) : [])];
}
