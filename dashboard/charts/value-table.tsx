import type { Chart } from './statistics-series.ts';

interface ValueTableProps {
  readonly title: string;
  readonly chart: Chart;
  readonly format: (value: number) => string;
}

/** The values of a chart for people who do not see it. Omits times without any. */
export function ValueTable({ title, chart, format }: ValueTableProps) {
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
