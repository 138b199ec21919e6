import { useRef, useState } from 'preact/hooks';
import { useShortcut } from '../../kit/commands/shortcuts.ts';
import { navigate } from '../../routes/router.ts';
import type { DeliveryFeed } from './delivery-feed.ts';
import { scrollTopFor } from './delivery-list.ts';
import type { RowWindow } from './use-row-window.ts';

interface ActiveRow {
  readonly feed: DeliveryFeed;
  readonly rows: RowWindow;
  readonly space: { readonly current: HTMLDivElement | null };
  readonly pathOf: (deliveryId: string) => string;
  readonly onSelect: (deliveryId: string, isRange: boolean) => void;
  readonly onRetry: (deliveryId: string) => void;
}

/**
 * Tracks the active row by delivery ID, so that new rows at the top do not move it. `j`, `k`, `x` and `r` work on the
 * whole page; the other keys only in the list.
 */
export function useActiveRow({ feed, rows, space, pathOf, onSelect, onRetry }: ActiveRow) {
  const [activeId, setActiveId] = useState<string | null>(null);
  /** Keys follow each other faster than renderings. */
  const active = useRef<string | null>(null);
  const { list } = feed;
  const { frame, rowHeightPx } = rows;
  const indexNow = (): number => (active.current === null ? undefined : list.indexOf(active.current)) ?? -1;

  const goTo = (to: number): void => {
    const target = Math.min(Math.max(0, to), list.size() - 1);
    const found = list.at(target);
    const { current } = frame;
    if (!found || !current) return;
    active.current = found.deliveryId;
    setActiveId(found.deliveryId);
    const headerPx = space.current?.offsetTop ?? 0; // the header is sticky and covers the rows
    const view = { rowHeightPx, scrollTopPx: current.scrollTop, viewHeightPx: current.clientHeight - headerPx };
    current.scrollTop = scrollTopFor(target, view);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const pageRows = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeightPx) - 1);
    const target = targetOfKey(event.key, { index: indexNow(), pageRows, rowCount: list.size() });
    if (target !== undefined) {
      event.preventDefault();
      goTo(target);
    } else if (event.key === 'Enter' && active.current !== null && !(event.target instanceof HTMLAnchorElement)) {
      navigate(pathOf(active.current));
    }
  };
  const onPage = (act: () => void) => () => {
    frame.current?.focus({ preventScroll: true });
    act();
  };
  useShortcut({ keys: 'j', description: 'Next delivery', run: onPage(() => goTo(indexNow() + 1)) });
  useShortcut({ keys: 'k', description: 'Previous delivery', run: onPage(() => goTo(indexNow() - 1)) });
  useShortcut({ keys: 'x', description: 'Select the delivery', run: onPage(select) });
  useShortcut({ keys: 'r', description: 'Retry the delivery', run: onPage(retry) });
  return { activeId, onKeyDown };

  function select(): void {
    if (active.current !== null) onSelect(active.current, false);
  }

  function retry(): void {
    if (active.current !== null) onRetry(active.current);
  }
}

interface KeyTarget {
  readonly index: number;
  readonly pageRows: number;
  readonly rowCount: number;
}

function targetOfKey(key: string, { index, pageRows, rowCount }: KeyTarget): number | undefined {
  if (key === 'ArrowDown') return index + 1;
  if (key === 'ArrowUp') return Math.max(0, index - 1);
  if (key === 'PageDown') return Math.max(0, index) + pageRows;
  if (key === 'PageUp') return Math.max(0, index - pageRows);
  if (key === 'Home') return 0;
  if (key === 'End') return rowCount - 1;
  return undefined;
}
