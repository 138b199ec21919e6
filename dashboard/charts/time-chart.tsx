import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { colorScheme } from '../session/theme.ts';
import type { Chart, Series, SeriesColor } from './statistics-series.ts';

/** `lines` have a dot for each sample, so that a single one is seen. */
type ChartKind = 'stacked-bars' | 'grouped-bars' | 'lines' | 'log-lines';

interface TimeChartProps {
  readonly title: string;
  /** Optional. Default: the format names it. */
  readonly unit?: string;
  readonly chart: Chart;
  readonly kind: ChartKind;
  readonly format: (value: number) => string;
}

const HEIGHT_PX = 180;

type Plot = typeof uPlot;

/** A page shows its numbers first. */
const loadPlot = async (): Promise<Plot> => (await import('uplot')).default;

interface Drawing extends Pick<TimeChartProps, 'chart' | 'kind' | 'format'> {
  readonly Plot: Plot;
}

export function TimeChart({ title, unit, chart, kind, format }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let erase: (() => void) | undefined;
    let isGone = false;
    // Offline, the table has the values.
    const loaded = loadPlot().catch(() => undefined);
    void loaded.then((Plot) => {
      if (Plot && frame.current && !isGone) erase = drawChart(frame.current, { Plot, chart, kind, format });
    });
    return () => {
      isGone = true;
      erase?.();
    };
  }, [chart]);
  return (
    <figure class="chart">
      <figcaption>
        {title} {unit !== undefined && <span class="soft">({unit})</span>}
      </figcaption>
      <div ref={frame} class="chart-frame" aria-hidden="true" />
      <details>
        <summary>Show as table</summary>
        <div class="scrolled" tabIndex={0} role="region" aria-label={`${title} as a table`}>
          <ValueTable title={title} chart={chart} format={format} />
        </div>
      </details>
    </figure>
  );
}

/** Returns a cleanup function. */
function drawChart(frame: HTMLElement, props: Drawing): () => void {
  let plot = create(frame, props);
  const redraw = (): void => {
    plot.destroy();
    plot = create(frame, props);
  };
  const observer = new ResizeObserver(() => {
    if (plot.width !== frame.clientWidth) plot.setSize({ width: frame.clientWidth, height: HEIGHT_PX });
  });
  observer.observe(frame);
  let drawn = colorScheme.peek();
  const forget = colorScheme.subscribe((scheme) => {
    if (scheme === drawn) return;
    drawn = scheme;
    redraw();
  });
  return () => {
    observer.disconnect();
    forget();
    plot.destroy();
  };
}

function create(frame: HTMLElement, { Plot, chart, kind, format }: Drawing): uPlot {
  const colorOf = (name: string): string => resolveColor(frame, name);
  const spanSeconds = (chart.times.at(-1) ?? 0) - (chart.times[0] ?? 0);
  const bucketSeconds = spanSeconds / Math.max(1, chart.times.length - 1);
  const drawn =
    kind === 'stacked-bars' ? stacked(chart.series) : chart.series.map((series) => ({ series, tops: series.values }));
  return new Plot(
    {
      width: Math.max(1, frame.clientWidth),
      height: HEIGHT_PX,
      class: kind,
      hooks: { ready: [markIdle], setLegend: [markIdle] },
      cursor: { y: false, points: { show: kind.endsWith('lines'), size: 6 } },
      legend: { markers: { dash: (_, place) => (drawn[place - 1]?.series.isDashed ? 'dashed' : 'solid') } },
      scales: {
        x: { range: (_, low, high) => [low - bucketSeconds / 2, high + bucketSeconds / 2] },
        y: scaleOf(kind),
      },
      axes: axesOf({ colorOf, kind, format, spanSeconds }),
      series: [
        { label: 'Time', value: (_, seconds) => (seconds === null ? '–' : formatAxisTime(seconds, spanSeconds)) },
        ...drawn.map(({ series }, index) => ({
          label: series.label,
          // The tooltip shows the value of the series, not the top of its stack.
          value: (...[, , , position]: ValueArguments) => {
            const value = position === null ? null : series.values[position];
            return value === null || value === undefined ? '–' : format(value);
          },
          ...styleOf(series, {
            Plot,
            color: colorOf(colorNames[series.color]),
            kind,
            place: index,
            count: drawn.length,
          }),
        })),
      ],
    },
    [[...chart.times], ...drawn.map(({ tops }) => [...tops])],
    frame,
  );
}

/** Without a cursor the legend has no values, and its style sheet hides their places. */
function markIdle({ root, legend }: uPlot): void {
  root.classList.toggle('idle', typeof legend.idx !== 'number');
}

interface AxisLook extends Pick<TimeChartProps, 'kind' | 'format'> {
  readonly colorOf: (name: string) => string;
  readonly spanSeconds: number;
}

function axesOf({ colorOf, kind, format, spanSeconds }: AxisLook): uPlot.Axis[] {
  const axis = {
    stroke: colorOf('--text-soft'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...axis,
      size: 32,
      space: 56,
      values: (_, splits) => splits.map((seconds) => formatAxisTime(seconds, spanSeconds)),
    },
    {
      ...axis,
      ...(kind.endsWith('bars') && { incrs: wholeSteps }),
      size: 60,
      values: (_, values) => values.map((value) => (value === null ? '' : format(value))),
    },
  ];
}

/** Returns a color of the style sheet as the current scheme shows it. A canvas knows neither `var()` nor `light-dark()`. */
function resolveColor(frame: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  frame.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Counts have no fractions. */
const wholeSteps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

const colorNames: Readonly<Record<SeriesColor, string>> = {
  good: '--good',
  bad: '--bad',
  wait: '--chart-wait',
  1: '--chart-1',
  2: '--chart-2',
  3: '--chart-3',
  4: '--chart-4',
  5: '--chart-5',
};

type ValueArguments = [chart: uPlot, raw: number | null, series: number, position: number | null];

/** The whole stack is drawn first, so that each lower part covers it. */
function stacked(all: readonly Series[]) {
  return all
    .map((series, index) => ({
      series,
      tops: series.values.map((_, at) => all.slice(0, index + 1).reduce((sum, one) => sum + (one.values[at] ?? 0), 0)),
    }))
    .reverse();
}

function scaleOf(kind: ChartKind): uPlot.Scale {
  if (kind !== 'log-lines') return { range: (_, __, highest) => [0, Math.max(1, (highest ?? 0) * 1.1)] };
  const power = (value: number, round: (power: number) => number): number => 10 ** round(Math.log10(value));
  return {
    distr: 3,
    range: (_, low, high) => {
      if (!(low > 0) || !(high > 0)) return [1, 1_000];
      return [power(low, Math.floor), Math.max(power(high, Math.ceil), 10 * power(low, Math.floor))];
    },
  };
}

interface SeriesStyle {
  readonly Plot: Plot;
  readonly color: string;
  readonly kind: ChartKind;
  readonly place: number;
  readonly count: number;
}

function styleOf({ isDashed }: Series, { Plot, color, kind, place, count }: SeriesStyle): Partial<uPlot.Series> {
  if (kind.endsWith('lines')) {
    const points = { show: true, size: 5, fill: color };
    return { stroke: color, width: 2, spanGaps: false, points, ...(isDashed && { dash: [5, 4] }) };
  }
  return {
    stroke: color,
    fill: color,
    width: 0,
    points: { show: false },
    paths: kind === 'grouped-bars' ? groupedBars(place, count) : Plot.paths.bars!({ size: [BAR_SHARE, 40, 1] }),
  };
}

/** Of the time between two values. */
const BAR_SHARE = 0.8;

/** Draws the bars of a series at its place among `count` bars of the same time. */
function groupedBars(place: number, count: number): uPlot.Series.PathBuilder {
  return (plot, seriesIndex, ...[first, last]: [first: number, last: number]) => {
    const fill = new Path2D();
    const [times] = plot.data;
    const values = plot.data[seriesIndex] ?? [];
    const xOf = (time: number): number => plot.valToPos(time, 'x', true);
    const yOf = (value: number): number => plot.valToPos(value, 'y', true);
    const spacing = times.length > 1 ? xOf(times[1]!) - xOf(times[0]!) : plot.bbox.width;
    const width = Math.max(1, (spacing * BAR_SHARE) / count);
    for (let at = first; at <= last; at++) {
      const left = xOf(times[at]!) + (place - count / 2) * width;
      fill.rect(left, yOf(values[at] ?? 0), width, yOf(0) - yOf(values[at] ?? 0));
    }
    return { fill };
  };
}

/** The values of a chart for people who do not see it. Omits times without any. */
function ValueTable({ title, chart, format }: Pick<TimeChartProps, 'title' | 'chart' | 'format'>) {
  const rows = chart.times
    .map((time, position) => ({ time, values: chart.series.map(({ values }) => values[position] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0));
  if (rows.length === 0) return <p class="soft">No data in this period.</p>;
  return (
    <table class="table">
      <caption class="hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {chart.series.map(({ label }) => (
            <th key={label} scope="col" class="end">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ time, values }) => (
          <tr key={time}>
            <th scope="row">{tableTime.format(new Date(time * 1000))}</th>
            {values.map((value, index) => (
              <td key={chart.series[index]!.label} class="end">
                {value === null ? '–' : format(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const DAY_SECONDS = 86_400;
const LONG_SECONDS = 2 * DAY_SECONDS;

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const tableTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

function formatAxisTime(seconds: number, spanSeconds: number): string {
  const at = new Date(seconds * 1000);
  if (spanSeconds < LONG_SECONDS) return clockTime.format(at);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return isMidnight ? dayOfYear.format(at) : `${dayOfYear.format(at)} ${clockTime.format(at)}`;
}
