import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { MetricRegistry } from './registry.ts';

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
const GC_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1];
const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak_callbacks',
};

/** Conventional names, for standard dashboards. */
export function addProcessMetrics(registry: MetricRegistry): void {
  const resident = registry.gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory.' });
  const heap = registry.gauge({ name: 'nodejs_heap_size_used_bytes', help: 'JavaScript heap in use.' });
  const heapLimit = registry.gauge({ name: 'nodejs_heap_size_limit_bytes', help: 'Heap at which the process ends.' });
  const external = registry.gauge({ name: 'nodejs_external_memory_bytes', help: 'Buffers and native objects.' });
  const started = registry.gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process in seconds since 1970.',
  });
  const cpu = registry.gauge({ name: 'process_cpu_seconds_total', help: 'Processor time used so far.' });
  const lag = registry.gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late the event loop was since the last scrape, by quantile.',
  });
  observeCollections(registry);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  started.set(Math.round(Date.now() / 1000 - process.uptime()));

  registry.beforeExposition(() => {
    const memory = process.memoryUsage();
    resident.set(memory.rss);
    heap.set(memory.heapUsed);
    heapLimit.set(getHeapStatistics().heap_size_limit);
    external.set(memory.external);
    const { user, system } = process.cpuUsage();
    cpu.set((user + system) / MICROSECONDS);
    for (const quantile of [50, 99]) lag.set(delay.percentile(quantile) / NANOSECONDS, { quantile: quantile / 100 });
    lag.set(delay.count > 0 ? delay.max / NANOSECONDS : 0, { quantile: 1 });
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
