import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Chart, Series } from './statistics-series.ts';
import { formatAxisTime } from './format-axis-time.ts';

interface LineChartProps {
  readonly title: string;
  readonly unit: string;
  readonly chart: Chart;
  readonly format: (value: number) => string;
}

const HEIGHT_PX = 180;
/** Defined in style/charts.css. */
const colors = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'] as const;

export function LineChart({ title, unit, chart, format }: LineChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    return drawChart(current, { title, unit, chart, format });
  }, [chart]);
  return (
    <figure class="chart">
      <figcaption>
        {title} <span class="soft">({unit})</span>
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
function drawChart(frame: HTMLElement, props: LineChartProps): () => void {
  let plot = create(frame, props);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = (): void => {
    plot.destroy();
    plot = create(frame, props);
  };
  const observer = new ResizeObserver(() => {
    if (plot.width !== frame.clientWidth) plot.setSize({ width: frame.clientWidth, height: HEIGHT_PX });
  });
  observer.observe(frame);
  scheme.addEventListener('change', redraw);
  return () => {
    observer.disconnect();
    scheme.removeEventListener('change', redraw);
    plot.destroy();
  };
}

function create(frame: HTMLElement, { unit, chart, format }: LineChartProps): uPlot {
  const colourOf = (name: string): string => getComputedStyle(frame).getPropertyValue(name).trim();
  const axis = {
    stroke: colourOf('--text-soft'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
  };
  const spanSeconds = (chart.times.at(-1) ?? 0) - (chart.times[0] ?? 0);
  const labelled = (_: unknown, value: number | null): string => (value === null ? '–' : `${format(value)} ${unit}`);
  return new uPlot(
    {
      width: Math.max(1, frame.clientWidth),
      height: HEIGHT_PX,
      cursor: { y: false, points: { size: 6 } },
      scales: { y: { range: (_, __, highest) => [0, Math.max(1, highest * 1.1)] } },
      axes: [
        { ...axis, space: 56, values: (_, splits) => splits.map((seconds) => formatAxisTime(seconds, spanSeconds)) },
        { ...axis, size: 56, values: (_, values) => values.map((value) => format(value)) },
      ],
      series: [
        { label: 'Time', value: (_, seconds) => (seconds === null ? '–' : formatAxisTime(seconds, spanSeconds)) },
        ...chart.series.map((series) =>
          lineOf(series, { colour: colourOf(colors[series.destinationIndex % colors.length]!), labelled }),
        ),
      ],
    },
    [[...chart.times], ...chart.series.map(({ values }) => [...values])],
    frame,
  );
}

function lineOf(
  { label, isDashed }: Series,
  { colour, labelled }: { colour: string; labelled: (_: unknown, value: number | null) => string },
): uPlot.Series {
  return {
    label,
    stroke: colour,
    width: 2,
    spanGaps: false,
    value: labelled,
    points: { size: 4 },
    ...(isDashed && { dash: [5, 4] }),
  };
}

function ValueTable({ title, chart, format }: Pick<LineChartProps, 'title' | 'chart' | 'format'>) {
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
            <th scope="row">{new Date(time * 1000).toLocaleString()}</th>
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
