import type { AcceptItem } from '../../db/ledger/accept.ts';
import type { Log } from '../../process/log.ts';
import type { Span, Traces } from '../../process/traces/traces.ts';

/** The spans of a sampled request from the platform. */
export interface RequestTrace {
  readonly request: Span;
  /** From the queue to the end of the commit, which other requests share. */
  readonly commit: Span | undefined;
}

export interface TracedItem extends AcceptItem {
  readonly commitSpan: Span | undefined;
}

export function beginCommit(traces: Traces, request: Span | undefined, itemCount: number): RequestTrace | undefined {
  if (!request) return undefined;
  const attributes = { 'events.count': itemCount };
  return { request, commit: traces.child('events.commit', request, { attributes }) };
}

export function endRequest(
  trace: RequestTrace | undefined,
  { itemCount, error, log }: { readonly itemCount: number; readonly error: string | null; readonly log: Log },
): void {
  if (!trace) return;
  const { request, commit } = trace;
  commit?.end({ error });
  request.end({ attributes: { 'events.count': itemCount }, error });
  log.info('events.traced', { traceId: request.traceId, itemCount });
}

/** Runs a commit in a trace of its own, which the traces of its requests link to and which links to them. */
export async function traceBatch<Result>(
  traces: Traces,
  items: readonly TracedItem[],
  commit: () => Promise<Result>,
): Promise<Result> {
  const spans = new Set<Span>();
  for (const { commitSpan } of items) if (commitSpan) spans.add(commitSpan);
  const batch = traces.batch('events.commitBatch', [...spans], { attributes: { 'events.count': items.length } });
  if (!batch) return await commit();
  for (const span of spans) span.link(batch);
  try {
    const result = await commit();
    batch.end();
    return result;
  } catch (error) {
    batch.end({ error: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}
