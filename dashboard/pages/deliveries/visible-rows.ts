export interface RowRange {
  readonly first: number;
  readonly end: number;
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
