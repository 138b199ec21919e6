import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useVirtualRows } from '../../kit/lists/use-virtual-rows.ts';
import type { RowRange } from './visible-rows.ts';
import type { ShownFeed } from './use-delivery-feed.ts';

const WIDE_ROW_PX = 52;
const NARROW_ROW_PX = 92;
/** Below this width each row takes two lines, as in style/deliveries.css. */
const narrow = matchMedia('(max-width: 820px)');
const PREFETCH_ROWS = 40;

export interface RowWindow {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly rowHeightPx: number;
  readonly view: RowRange;
  readonly update: () => void;
}

/** New rows at the top do not move the rows that the user reads. */
export function useRowWindow({ feed, version, takeAdded, scroll }: ShownFeed): RowWindow {
  const frame = useRef<HTMLDivElement>(null);
  const rowHeightPx = useRowHeight();
  const rowCount = feed.list.size();
  const keyOf = useCallback((index: number) => feed.list.at(index)?.deliveryId ?? index, [feed]);
  const { items } = useVirtualRows({ frame, rowCount, rowHeightPx, keyOf });
  const view = { first: items[0]?.index ?? 0, end: (items.at(-1)?.index ?? -1) + 1 };

  const update = (): void => {
    const { current } = frame;
    if (!current) return;
    scroll.topPx = current.scrollTop;
    const endRow = Math.ceil((current.scrollTop + current.clientHeight) / rowHeightPx);
    // A search asks before it reads further back.
    const { hasMore, search } = feed.state();
    if (hasMore && search?.isScan !== true && endRow + PREFETCH_ROWS > feed.list.size()) void feed.loadMore();
  };
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = scroll.topPx;
  }, []);
  useLayoutEffect(() => {
    const added = takeAdded();
    if (added > 0 && frame.current && frame.current.scrollTop > 0) frame.current.scrollTop += added * rowHeightPx;
    update();
  }, [version, rowHeightPx]);
  useEffect(() => {
    const observer = new ResizeObserver(update);
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [rowHeightPx]);
  return { frame, rowHeightPx, view, update };
}

function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const onChange = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', onChange);
    return () => narrow.removeEventListener('change', onChange);
  }, []);
  return isNarrow ? NARROW_ROW_PX : WIDE_ROW_PX;
}
