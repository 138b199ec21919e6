/** Values come from small closed sets, never from ids or user input. */
export type Labels = Readonly<Record<string, string | number>>;

export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface Sample {
  /** Includes a histogram's suffix. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

export interface Instrument {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  samples(): readonly Sample[];
}

export interface Counter extends Instrument {
  add(count: number, labels?: Labels): void;
}

export interface Gauge extends Instrument {
  set(value: number, labels?: Labels): void;
  clear(): void;
}

export interface Histogram extends Instrument {
  observe(value: number, labels?: Labels): void;
}

export interface Naming {
  readonly name: string;
  readonly help: string;
}

interface Series<Value> {
  readonly labels: Labels;
  value: Value;
}

/** Further label sets are dropped, so that a wrong label cannot fill the memory. */
const MAX_SERIES = 2_000;

function seriesOf<Value>(empty: () => Value) {
  const all = new Map<string, Series<Value>>();
  const spare: Series<Value> = { labels: {}, value: empty() };
  return {
    all,
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

export function createCounter(naming: Naming): Counter {
  const series = seriesOf(() => 0);
  return {
    ...naming,
    type: 'counter',
    add(count, labels = {}) {
      series.of(labels).value += count;
    },
    samples: () => [...series.all.values()].map(({ labels, value }) => ({ name: naming.name, labels, value })),
  };
}

export function createGauge(naming: Naming): Gauge {
  const series = seriesOf(() => 0);
  return {
    ...naming,
    type: 'gauge',
    set(value, labels = {}) {
      series.of(labels).value = value;
    },
    clear: () => series.all.clear(),
    samples: () => [...series.all.values()].map(({ labels, value }) => ({ name: naming.name, labels, value })),
  };
}

/** A value counts in the first bucket that holds it. The exposition adds the buckets up. */
export function createHistogram({ bounds, ...naming }: Naming & { readonly bounds: readonly number[] }): Histogram {
  const series = seriesOf(() => ({ counts: bounds.map(() => 0), sum: 0, count: 0 }));
  return {
    ...naming,
    type: 'histogram',
    observe(value, labels = {}) {
      const tally = series.of(labels).value;
      const at = bounds.findIndex((bound) => value <= bound);
      if (at >= 0) tally.counts[at]! += 1;
      tally.sum += value;
      tally.count += 1;
    },
    samples: () =>
      [...series.all.values()].flatMap(({ labels, value: { counts, sum, count } }) => {
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
      }),
  };
}
