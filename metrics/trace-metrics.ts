import type { TraceCounts } from '../process/traces/traces.ts';
import type { MetricRegistry } from './registry.ts';

/** Spans of sampled traces by what happened to them. */
export function addTraceMetrics(registry: MetricRegistry, read: () => TraceCounts): void {
  const { channels_spans_total: spans } = registry.counters({
    channels_spans_total:
      'Ended spans by outcome: exported, failed (the collector did not take them) or dropped (the queue was full).',
  });
  let last: TraceCounts = { exported: 0, failed: 0, dropped: 0 };
  registry.beforeExposition(() => {
    const counts = read();
    for (const outcome of ['exported', 'failed', 'dropped'] as const) {
      spans.add(counts[outcome] - last[outcome], { outcome });
    }
    last = counts;
  });
}
