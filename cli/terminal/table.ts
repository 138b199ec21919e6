import { cutText, padText, textWidth } from './text-width.ts';

export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

const GAP = '  ';
/** Keeps IDs and statuses whole. */
const MIN_WIDTH = 14;

export function tableLines(rows: readonly (readonly Cell[])[], maxWidth: number): string[] {
  const widths = fittingWidths(rows, maxWidth);
  return rows.map((cells) =>
    cells
      .map(({ text, paint = asIs }, index) => {
        const width = widths[index] ?? 0;
        const shown = cutText(text, width);
        const isLast = index === cells.length - 1;
        return paint(shown) + (isLast ? '' : padText(shown, width).slice(shown.length));
      })
      .join(GAP)
      .trimEnd(),
  );
}

function asIs(text: string): string {
  return text;
}

function fittingWidths(rows: readonly (readonly Cell[])[], maxWidth: number): number[] {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((cells) => textWidth(cells[index]?.text ?? ''))),
  );
  let surplus = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - maxWidth;
  while (surplus > 0) {
    const widest = Math.max(...widths);
    if (widest <= MIN_WIDTH) break;
    const index = widths.indexOf(widest);
    const next = Math.max(MIN_WIDTH, ...widths.filter((width) => width < widest));
    const cut = Math.min(surplus, Math.max(1, widest - next));
    widths[index] = widest - cut;
    surplus -= cut;
  }
  return widths;
}
