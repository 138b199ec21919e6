import { useMemo, useRef, useState } from 'preact/hooks';
import { scrollTopFor } from './visible-rows.ts';
import { navigate } from '../../routes/router.ts';
import type { DeliveryFeed } from './delivery-feed.ts';
import { DeliveryRow } from './delivery-row.tsx';
import type { ShownFeed } from './use-delivery-feed.ts';
import { type RowWindow, useRowWindow } from './use-row-window.ts';

interface DeliveryRowsProps {
  readonly shown: ShownFeed;
  readonly pathOf: (deliveryId: string) => string;
  readonly channelNames: ReadonlyMap<string, string> | null;
}

/** Arrow keys move through the list; Enter opens a delivery. */
export function DeliveryRows({ shown, pathOf, channelNames }: DeliveryRowsProps) {
  const { feed } = shown;
  const rows = useRowWindow(shown);
  const space = useRef<HTMLDivElement>(null);
  const { activeId, onKeyDown } = useActiveRow({ feed, rows, space, pathOf });
  const rowCount = feed.list.size();
  const activeIndex = activeId === null ? -1 : (feed.list.indexOf(activeId) ?? -1);
  const isActiveInView = activeIndex >= rows.view.first && activeIndex < rows.view.end;
  const showsChannel = channelNames !== null;
  const header = useMemo(() => headerFor(showsChannel), [showsChannel]);
  return (
    <div
      class={showsChannel ? 'delivery-grid with-channel' : 'delivery-grid'}
      role="grid"
      aria-label="Deliveries"
      aria-rowcount={feed.state().hasMore ? -1 : rowCount + 1}
      aria-activedescendant={isActiveInView ? `row-${activeId}` : undefined}
      tabIndex={0}
      ref={rows.frame}
      onScroll={rows.update}
      onKeyDown={onKeyDown}
    >
      {header}
      <div ref={space} role="rowgroup" class="delivery-space" style={{ height: `${rowCount * rows.rowHeightPx}px` }}>
        {rowsInView({ feed, rows, activeId, pathOf, channelNames })}
      </div>
    </div>
  );
}

interface RowsInView extends Omit<DeliveryRowsProps, 'shown'> {
  readonly feed: DeliveryFeed;
  readonly rows: RowWindow;
  readonly activeId: string | null;
}

function rowsInView({ feed, rows, activeId, pathOf, channelNames }: RowsInView) {
  const { view, rowHeightPx } = rows;
  const now = new Date();
  return Array.from({ length: Math.max(0, view.end - view.first) }, (_, offset) => {
    const index = view.first + offset;
    const delivery = feed.list.at(index);
    if (!delivery) return null;
    const { deliveryId, channelId } = delivery;
    return (
      <DeliveryRow
        key={deliveryId}
        delivery={delivery}
        index={index}
        topPx={index * rowHeightPx}
        href={pathOf(deliveryId)}
        isActive={deliveryId === activeId}
        isFresh={feed.isFresh(deliveryId)}
        channelName={channelNames && (channelNames.get(channelId) ?? channelId)}
        now={now}
      />
    );
  });
}

interface ActiveRow {
  readonly feed: DeliveryFeed;
  readonly rows: RowWindow;
  readonly space: { readonly current: HTMLDivElement | null };
  readonly pathOf: (deliveryId: string) => string;
}

/** Tracks the active row by delivery ID, so that new rows at the top do not move it. */
function useActiveRow({ feed, rows, space, pathOf }: ActiveRow) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const { list } = feed;
  const { frame, rowHeightPx } = rows;

  const goTo = (index: number): void => {
    const target = Math.min(Math.max(0, index), list.size() - 1);
    const found = list.at(target);
    const { current } = frame;
    if (!found || !current) return;
    setActiveId(found.deliveryId);
    const headerPx = space.current?.offsetTop ?? 0; // the header is sticky and covers the rows
    const view = { rowHeightPx, scrollTopPx: current.scrollTop, viewHeightPx: current.clientHeight - headerPx };
    current.scrollTop = scrollTopFor(target, view);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = (activeId === null ? undefined : list.indexOf(activeId)) ?? -1;
    const pageRows = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeightPx) - 1);
    const target = targetOfKey(event.key, { index, pageRows, rowCount: list.size() });
    if (target !== undefined) {
      event.preventDefault();
      goTo(target);
    } else if (event.key === 'Enter' && activeId !== null && !(event.target instanceof HTMLAnchorElement)) {
      navigate(pathOf(activeId));
    }
  };
  return { activeId, onKeyDown };
}

function headerFor(showsChannel: boolean) {
  const names = ['Received', 'Status', 'Event', ...(showsChannel ? ['Channel'] : []), 'Sender', 'Destination', 'Note'];
  return (
    <div role="rowgroup" class="delivery-header">
      <div role="row" class="delivery-row" aria-rowindex={1}>
        {names.map((name) => (
          <div key={name} role="columnheader">
            {name}
          </div>
        ))}
      </div>
    </div>
  );
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
