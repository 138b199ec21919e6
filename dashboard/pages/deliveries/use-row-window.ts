import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { RowRange } from './delivery-list.ts';
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

interface VirtualRowsOptions {
  /** The element that scrolls. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly rowCount: number;
  readonly rowHeightPx: number;
  /** Must be stable for a row that moves, such as its id. */
  readonly keyOf: (index: number) => string | number;
  /** Optional. Rows beyond each edge, so that a fast scroll shows no gap. Default: 12. */
  readonly overscan?: number;
}

interface VirtualRows {
  /** The rows to render. Each has an `index`, a `key` and `start`, its distance from the top in pixels. */
  readonly items: readonly VirtualItem[];
}

/** Renders only the rows of a long list that are in view. The caller keeps the place when rows come in at the top. */
function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { frame, rowCount, rowHeightPx, keyOf, overscan = 12 } = options;
  const [, update] = useReducer((count: number) => count + 1, 0);
  const settings: VirtualizerOptions<HTMLElement, HTMLElement> = {
    count: rowCount,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeightPx,
    getItemKey: keyOf,
    overscan,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => update(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer(settings));
  virtualizer.setOptions(settings);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [rowHeightPx]);
  return {
    items: virtualizer.getVirtualItems(),
  };
}
