import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { MetricRegistry } from './registry.ts';

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
/** Between the measurements, each of which wakes the process. */
const LAG_INTERVAL_MS = 100;
const GC_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1];
const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak_callbacks',
};

/** Conventional names, for standard dashboards. */
export function addProcessMetrics(registry: MetricRegistry): void {
  const gauges = registry.gauges({
    process_resident_memory_bytes: 'Resident memory.',
    nodejs_heap_size_used_bytes: 'JavaScript heap in use.',
    nodejs_heap_size_limit_bytes: 'Heap at which the process ends.',
    nodejs_external_memory_bytes: 'Buffers and native objects.',
    process_start_time_seconds: 'Start time of the process in seconds since 1970.',
    process_cpu_seconds_total: 'Processor time used so far.',
    nodejs_eventloop_lag_seconds:
      'How late the event loop was since the last scrape, measured ten times a second, by quantile.',
  });
  const { nodejs_eventloop_lag_seconds: lag } = gauges;
  observeCollections(registry);
  const delay = monitorEventLoopDelay({ resolution: LAG_INTERVAL_MS });
  delay.enable();
  gauges.process_start_time_seconds.set(Math.round(Date.now() / 1000 - process.uptime()));

  registry.beforeExposition(() => {
    const memory = process.memoryUsage();
    gauges.process_resident_memory_bytes.set(memory.rss);
    gauges.nodejs_heap_size_used_bytes.set(memory.heapUsed);
    gauges.nodejs_heap_size_limit_bytes.set(getHeapStatistics().heap_size_limit);
    gauges.nodejs_external_memory_bytes.set(memory.external);
    const { user, system } = process.cpuUsage();
    gauges.process_cpu_seconds_total.set((user + system) / MICROSECONDS);
    for (const quantile of [50, 99, 100]) {
      const lagSeconds = delay.percentile(quantile) / NANOSECONDS - LAG_INTERVAL_MS / 1_000;
      lag.set(Math.max(lagSeconds, 0), { quantile: quantile / 100 });
    }
    delay.reset();
  });
}

function observeCollections(registry: MetricRegistry): void {
  const seconds = registry.histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Duration of garbage collections by kind.',
    bounds: GC_BOUNDS,
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail;
      seconds.observe(entry.duration / 1_000, { kind: gcKinds[kind] ?? 'other' });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
}
