/** The W3C header `traceparent`: version, trace id, span id and flags, of which 01 means sampled. */
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-01$/;
const TRACE_ID_START = 3;
const TRACE_ID_END = 35;

export interface SpanAddress {
  readonly traceId: string;
  readonly spanId: string;
}

/** Returns undefined for a header that is malformed or not sampled. */
export function parseTraceParent(traceParent: string): SpanAddress | undefined {
  const [, traceId, spanId] = TRACE_PARENT.exec(traceParent) ?? [];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}

export function formatTraceParent({ traceId, spanId }: SpanAddress): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Returns the trace id of a stored header, or null without one. */
export function traceIdOf(traceParent: string | null | undefined): string | null {
  return traceParent?.slice(TRACE_ID_START, TRACE_ID_END) ?? null;
}

/** Where a trace can be viewed; `{traceId}` is its place in the address. */
export const TRACE_ID_PLACE = '{traceId}';

export function traceUrl(template: string, traceId: string): string {
  return template.replaceAll(TRACE_ID_PLACE, encodeURIComponent(traceId));
}
/** The header in which Temporal's OpenTelemetry interceptors carry a trace. */
export const WORKFLOW_TRACE_HEADER = '_tracer-data';
