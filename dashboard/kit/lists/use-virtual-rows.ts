import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

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

export interface VirtualRows {
  /** The rows to render. Each has an `index`, a `key` and `start`, its distance from the top in pixels. */
  readonly items: readonly VirtualItem[];
}

/** Renders only the rows of a long list that are in view. The caller keeps the place when rows come in at the top. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
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
