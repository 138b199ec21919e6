import { TraceFlags } from '@opentelemetry/api';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../log.ts';
import type { TraceCounts } from './traces.ts';

/**
 * Exports spans in batches and counts what happens to them. A collector that is away costs a full queue of memory and
 * one warning per minute; nothing waits for it.
 */
export interface BoundedExport {
  readonly processor: SpanProcessor;
  counts(): TraceCounts;
}

export interface BoundedExportOptions {
  readonly exporter: SpanExporter;
  readonly log: Log;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** About 2 KB each. */
const MAX_WAITING = 8_192;
const BATCH_SIZE = 512;
const EXPORT_EVERY_MS = 2_000;
/** Above the exporter's own deadline of 10 s. */
const EXPORT_TIMEOUT_MS = 15_000;
const WARN_EVERY_MS = 60_000;
const SUCCESS = 0;

export function createBoundedExport({
  exporter,
  log,
  now = () => performance.now(),
}: BoundedExportOptions): BoundedExport {
  const counts = { exported: 0, failed: 0, dropped: 0 };
  let waitingCount = 0;
  let warnAtMs = -Infinity;

  const batches = new BatchSpanProcessor(counted(), {
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: BATCH_SIZE,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  return { processor: bounded(), counts: () => ({ ...counts }) };

  /** The processor of the SDK drops spans without counting them. */
  function bounded(): SpanProcessor {
    return {
      onStart: (span, parent) => batches.onStart(span, parent),
      onEnd(span) {
        if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
        if (waitingCount >= MAX_WAITING) return void counts.dropped++;
        waitingCount++;
        batches.onEnd(span);
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    };
  }

  function counted(): SpanExporter {
    return {
      export(spans, onResult) {
        waitingCount -= spans.length;
        exporter.export(spans, (result) => {
          if (result.code === SUCCESS) counts.exported += spans.length;
          else {
            counts.failed += spans.length;
            warn(result.error);
          }
          onResult(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
  }

  function warn(error: Error | undefined): void {
    if (now() < warnAtMs) return;
    warnAtMs = now() + WARN_EVERY_MS;
    log.warn('traces.exportFailed', {
      reason: reasonOf(error),
      failedCount: counts.failed,
      droppedCount: counts.dropped,
    });
  }
}

/** The message may quote the collector's answer. */
function reasonOf(error: Error | undefined): string {
  if (error === undefined) return 'unknown';
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name;
}
