import type uPlot from 'uplot';

/** Of the time between two values. */
export const BAR_SHARE = 0.8;

/** Draws the bars of a series at its place among `count` bars of the same time. */
export function groupedBars(place: number, count: number): uPlot.Series.PathBuilder {
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
