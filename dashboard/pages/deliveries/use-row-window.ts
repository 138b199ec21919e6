import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type WindowOfRows, windowOfRows } from './window-of-rows.ts';
import type { ShownFeed } from './use-delivery-feed.ts';

const WIDE_ROW_PX = 38;
const NARROW_ROW_PX = 66;
/** Below it, each delivery takes two lines; as style/deliveries.css has it. */
const narrow = matchMedia('(max-width: 820px)');
/** More is asked for when so many rows are left below. */
const AHEAD_ROWS = 40;

export interface RowWindow {
  /** The element that scrolls. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly rowHeightPx: number;
  readonly view: WindowOfRows;
  /** Looks again what is in view, and asks for more where the end is near. */
  readonly look: () => void;
}

/** Which rows of a feed are in view; what comes on top moves nothing under somebody's eyes. */
export function useRowWindow({ feed, version, takeAdded, scroll }: ShownFeed): RowWindow {
  const frame = useRef<HTMLDivElement>(null);
  const rowHeightPx = useRowHeight();
  const [view, setView] = useState<WindowOfRows>({ first: 0, end: 0 });

  const look = (): void => {
    const { current } = frame;
    if (!current) return;
    scroll.topPx = current.scrollTop;
    const rowCount = feed.list.size();
    const next = windowOfRows({
      ...{ rowCount, rowHeightPx },
      ...{ scrollTopPx: current.scrollTop, viewHeightPx: current.clientHeight },
    });
    setView((before) => (before.first === next.first && before.end === next.end ? before : next));
    if (feed.state().hasMore && next.end + AHEAD_ROWS > rowCount) void feed.loadMore();
  };
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = scroll.topPx;
  }, []);
  useLayoutEffect(() => {
    const added = takeAdded();
    // Whoever reads further down stays where they are; at the top, new ones come into view.
    if (added > 0 && frame.current && frame.current.scrollTop > 0) frame.current.scrollTop += added * rowHeightPx;
    look();
  }, [version, rowHeightPx]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [rowHeightPx]);
  return { frame, rowHeightPx, view, look };
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
