export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Extra rows at both edges, so that a fast scroll shows no gap. */
const MARGIN_ROWS = 12;

export function visibleRows(view: {
  readonly rowCount: number;
  readonly rowHeightPx: number;
  readonly scrollTopPx: number;
  readonly viewHeightPx: number;
}): RowRange {
  const { rowCount, rowHeightPx, scrollTopPx, viewHeightPx } = view;
  const first = Math.floor(Math.max(0, scrollTopPx) / rowHeightPx) - MARGIN_ROWS;
  const end = Math.ceil((Math.max(0, scrollTopPx) + viewHeightPx) / rowHeightPx) + MARGIN_ROWS;
  return { first: Math.min(Math.max(0, first), rowCount), end: Math.min(rowCount, Math.max(0, end)) };
}

/** Returns the scroll position that makes a row visible, unchanged if it already is. */
export function scrollTopFor(
  row: number,
  { rowHeightPx, scrollTopPx, viewHeightPx }: { rowHeightPx: number; scrollTopPx: number; viewHeightPx: number },
): number {
  const topPx = row * rowHeightPx;
  if (topPx < scrollTopPx) return topPx;
  return Math.max(scrollTopPx, topPx + rowHeightPx - viewHeightPx);
}
