export interface WindowOfRows {
  /** The first row that is rendered. */
  readonly first: number;
  /** The one behind the last. */
  readonly end: number;
}

/** Rendered beyond either edge, so that a quick scroll meets rows and not a gap. */
const MARGIN_ROWS = 12;

/** Which of many rows of one height are to be rendered: those in view, and some around them. */
export function windowOfRows(view: {
  readonly rowCount: number;
  readonly rowHeightPx: number;
  readonly scrollTopPx: number;
  readonly viewHeightPx: number;
}): WindowOfRows {
  const { rowCount, rowHeightPx, scrollTopPx, viewHeightPx } = view;
  const first = Math.floor(Math.max(0, scrollTopPx) / rowHeightPx) - MARGIN_ROWS;
  const end = Math.ceil((Math.max(0, scrollTopPx) + viewHeightPx) / rowHeightPx) + MARGIN_ROWS;
  return { first: Math.min(Math.max(0, first), rowCount), end: Math.min(rowCount, Math.max(0, end)) };
}

/** Where to scroll so that a row is in view; where one is, if it is already. */
export function scrollTopFor(
  row: number,
  { rowHeightPx, scrollTopPx, viewHeightPx }: { rowHeightPx: number; scrollTopPx: number; viewHeightPx: number },
): number {
  const topPx = row * rowHeightPx;
  if (topPx < scrollTopPx) return topPx;
  return Math.max(scrollTopPx, topPx + rowHeightPx - viewHeightPx);
}
