import type { MetricRegistry, Sample } from './registry.ts';
import { temporalMetrics } from './temporal-metric-table.ts';

export interface TemporalSource {
  /** Reads the SDK's own metrics in Prometheus' text format. Undefined if it exports none. */
  readonly read: () => Promise<string | undefined>;
  /** How long Temporal has not answered; 0 while it does. */
  readonly unreachableMs: () => Promise<number>;
  /** Running workflows that make no progress, by what keeps failing. What cannot be counted is absent. */
  readonly blockedCounts: () => Promise<Readonly<Partial<Record<BlockedBy, number>>> | undefined>;
}

export type BlockedBy = 'activity' | 'workflow_task';

/** A worker's own queue is named after the process. */
const OWN_QUEUE = /^delivery-pump\/.*$/;

/**
 * Adds the metrics of Temporal's SDK to those of the worker, so that it needs no second port. Only the labels in the
 * table are kept; series that differ only in others are added up.
 */
export function addTemporalMetrics(
  registry: MetricRegistry,
  { read, unreachableMs, blockedCounts }: TemporalSource,
): void {
  const gauges = registry.gauges({
    channels_temporal_unreachable_seconds: 'Time that Temporal has not answered this worker; 0 while it answers.',
    channels_workflow_task_failures_total: 'Workflow tasks that failed, of all types and for all reasons.',
    channels_workflows_blocked:
      'Running workflows whose activity or workflow task keeps failing. All workers report the same values.',
  });
  const { channels_workflow_task_failures_total: failures, channels_workflows_blocked: blocked } = gauges;
  let known = new Map<string, readonly Sample[]>();
  for (const { name, type, help } of temporalMetrics)
    registry.adopt({ name, type, help, samples: () => known.get(name) ?? [] });

  registry.beforeExposition(async () => {
    gauges.channels_temporal_unreachable_seconds.set((await unreachableMs()) / 1_000);
  });
  registry.beforeExposition(async () => {
    blocked.clear();
    for (const [by, count] of Object.entries((await blockedCounts()) ?? {})) blocked.set(count, { by });
  });
  registry.beforeExposition(async () => {
    const text = await read().catch((error: unknown) => {
      known = new Map();
      failures.clear();
      throw error;
    });
    if (text === undefined) return;
    known = keptSamples(text);
    const failed = known.get('temporal_workflow_task_execution_failed_total') ?? [];
    failures.set(failed.reduce((sum, { value }) => sum + value, 0));
  });
}

function keptSamples(text: string): Map<string, readonly Sample[]> {
  const samples = readSamples(text);
  return new Map(
    temporalMetrics.map((metric) => {
      const own = samples.filter(({ name }) => isOf(metric, name));
      return [metric.name, addedUp(own.map((sample) => withLabels(sample, metric.labels)))] as const;
    }),
  );
}

function isOf({ name, type }: (typeof temporalMetrics)[number], sampleName: string): boolean {
  if (type !== 'histogram') return sampleName === name;
  return ['_bucket', '_sum', '_count'].some((suffix) => sampleName === `${name}${suffix}`);
}

function withLabels(sample: Sample, kept: readonly string[]): Sample {
  const labels = Object.entries(sample.labels).filter(([name]) => name === 'le' || kept.includes(name));
  const shown = labels.map(([name, value]) => [name, name === 'task_queue' ? queueOf(String(value)) : value]);
  return { ...sample, labels: Object.fromEntries(shown) };
}

function queueOf(name: string): string {
  return name.replace(OWN_QUEUE, 'delivery-pump/own');
}

function addedUp(samples: readonly Sample[]): readonly Sample[] {
  const sums = new Map<string, Sample>();
  for (const sample of samples) {
    const series = `${sample.name} ${JSON.stringify(sample.labels)}`;
    sums.set(series, { ...sample, value: sample.value + (sums.get(series)?.value ?? 0) });
  }
  return [...sums.values()];
}

const LABEL = /[{,](\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads Prometheus' text format without comments and timestamps. Ignores lines that it cannot read. */
export function readSamples(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('#')) return [];
    const space = line.lastIndexOf(' ');
    const value = Number(line.slice(space + 1));
    if (space < 0 || Number.isNaN(value)) return [];
    const series = line.slice(0, space);
    const brace = series.indexOf('{');
    if (brace < 0) return [{ name: series, labels: {}, value }];
    return [{ name: series.slice(0, brace), labels: labelsOf(series.slice(brace)), value }];
  });
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name, value]) => [name!, unescaped(value!)]));
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each));
}
