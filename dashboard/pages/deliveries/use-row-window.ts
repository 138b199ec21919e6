import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type RowRange, visibleRows } from './visible-rows.ts';
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
  const [view, setView] = useState<RowRange>({ first: 0, end: 0 });

  const update = (): void => {
    const { current } = frame;
    if (!current) return;
    scroll.topPx = current.scrollTop;
    const rowCount = feed.list.size();
    const next = visibleRows({
      ...{ rowCount, rowHeightPx },
      ...{ scrollTopPx: current.scrollTop, viewHeightPx: current.clientHeight },
    });
    setView((before) => (before.first === next.first && before.end === next.end ? before : next));
    // A search asks before it reads further back.
    const { hasMore, search } = feed.state();
    if (hasMore && search?.isScan !== true && next.end + PREFETCH_ROWS > rowCount) void feed.loadMore();
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
