import {
  type Counter,
  createCounter,
  createGauge,
  createHistogram,
  type Gauge,
  type Histogram,
  type Instrument,
  type Labels,
  type Naming,
} from './instruments.ts';

export interface MetricRegistry {
  counter(naming: Naming): Counter;
  gauge(naming: Naming): Gauge;
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
    counter: (naming) => add(createCounter(naming)),
    gauge: (naming) => add(createGauge(naming)),
    histogram: (naming) => add(createHistogram(naming)),
    adopt: (instrument) => void add(instrument),
    beforeExposition: (refresh) => void refreshers.push(refresh),
    names: () => [...instruments.keys()],
    async expose() {
      await Promise.allSettled(refreshers.map(async (refresh) => await refresh()));
      return [...instruments.values()].map(textOf).join('');
    },
  };

  function add<Kind extends Instrument>(instrument: Kind): Kind {
    if (instruments.has(instrument.name)) throw new Error(`The metric ${instrument.name} is registered twice`);
    instruments.set(instrument.name, instrument);
    return instrument;
  }
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
