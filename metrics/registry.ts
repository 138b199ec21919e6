/** Values come from small closed sets, never from ids or user input. */
export type Labels = Readonly<Record<string, string | number>>;

export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface Sample {
  /** Includes a histogram's suffix. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

interface Naming {
  readonly name: string;
  readonly help: string;
}

interface Instrument extends Naming {
  readonly type: MetricType;
  samples(): readonly Sample[];
}

/** Help texts by the metrics' names. */
type Helps<Name extends string> = Readonly<Record<Name, string>>;

interface Counter {
  add(count: number, labels?: Labels): void;
}

export interface Gauge {
  /** Null leaves the value as it is. */
  set(value: number | null, labels?: Labels): void;
  clear(): void;
}

interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/**
 * Counts and exposes metrics as Prometheus' text. In contrast to the usual client, it bounds the series of a metric,
 * leaves out a gauge without a value, and exposes the other values if one refresh fails. Alerts rely on all three.
 */
export interface MetricRegistry {
  counters<Name extends string>(helps: Helps<Name>): Readonly<Record<Name, Counter>>;
  gauges<Name extends string>(helps: Helps<Name>): Readonly<Record<Name, Gauge>>;
  histogram(naming: Naming & { readonly bounds: readonly number[] }): Histogram;
  /** For values that another library measures. */
  adopt(instrument: Instrument): void;
  /** For values that are read rather than counted. */
  beforeExposition(refresh: () => Promise<void> | void): void;
  names(): string[];
  expose(): Promise<string>;
}

export function createMetricRegistry(): MetricRegistry {
  const instruments = new Map<string, Instrument>();
  const refreshers: (() => Promise<void> | void)[] = [];
  return {
    counters: (helps) =>
      each(helps, (naming): Counter => {
        const series = numbersOf('counter', naming);
        return { add: (count, labels = {}) => void (series.of(labels).value += count) };
      }),
    gauges: (helps) =>
      each(helps, (naming): Gauge => {
        const series = numbersOf('gauge', naming);
        const set: Gauge['set'] = (value, labels = {}) => {
          if (value !== null) series.of(labels).value = value;
        };
        return { set, clear: series.clear };
      }),
    /** A value counts in the first bucket that holds it. The exposition adds the buckets up. */
    histogram({ bounds, ...naming }) {
      const series = createSeries(() => ({ counts: bounds.map(() => 0), sum: 0, count: 0 }));
      adopt({ ...naming, type: 'histogram', samples: () => series.all().flatMap(samplesOf) });
      return {
        observe(value, labels = {}) {
          const tally = series.of(labels).value;
          const at = bounds.findIndex((bound) => value <= bound);
          if (at >= 0) tally.counts[at]! += 1;
          tally.sum += value;
          tally.count += 1;
        },
      };

      function samplesOf({ labels, value: { counts, sum, count } }: Series<Tally>): Sample[] {
        let below = 0;
        const buckets = bounds.map((bound, at) => {
          below += counts[at]!;
          return { name: `${naming.name}_bucket`, labels: { ...labels, le: bound }, value: below };
        });
        return [
          ...buckets,
          { name: `${naming.name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
          { name: `${naming.name}_sum`, labels, value: sum },
          { name: `${naming.name}_count`, labels, value: count },
        ];
      }
    },
    adopt,
    beforeExposition: (refresh) => void refreshers.push(refresh),
    names: () => [...instruments.keys()],
    async expose() {
      await Promise.allSettled(refreshers.map(async (refresh) => await refresh()));
      return [...instruments.values()].map(textOf).join('');
    },
  };

  function adopt(instrument: Instrument): void {
    if (instruments.has(instrument.name)) throw new Error(`The metric ${instrument.name} is registered twice`);
    instruments.set(instrument.name, instrument);
  }

  function numbersOf(type: 'counter' | 'gauge', naming: Naming) {
    const series = createSeries(() => 0);
    const { name } = naming;
    adopt({ ...naming, type, samples: () => series.all().map(({ labels, value }) => ({ name, labels, value })) });
    return series;
  }
}

function each<Name extends string, One>(helps: Helps<Name>, create: (naming: Naming) => One): Record<Name, One> {
  const made = Object.entries<string>(helps).map(([name, help]) => [name, create({ name, help })]);
  return Object.fromEntries(made) as Record<Name, One>;
}

interface Series<Value> {
  readonly labels: Labels;
  value: Value;
}

interface Tally {
  /** By bucket. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** Further label sets are dropped, so that a wrong label cannot fill the memory. */
const MAX_SERIES = 2_000;

function createSeries<Value>(empty: () => Value) {
  const all = new Map<string, Series<Value>>();
  const spare: Series<Value> = { labels: {}, value: empty() };
  return {
    all: () => [...all.values()],
    clear: () => all.clear(),
    of(labels: Labels): Series<Value> {
      const key = JSON.stringify(labels);
      const known = all.get(key);
      if (known) return known;
      if (all.size >= MAX_SERIES) return spare;
      const fresh = { labels, value: empty() };
      all.set(key, fresh);
      return fresh;
    },
  };
}

function textOf(instrument: Instrument): string {
  const { name, help, type } = instrument;
  const samples = instrument.samples().map((sample) => `${sample.name}${labelText(sample.labels)} ${sample.value}\n`);
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${samples.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(String(value))}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
