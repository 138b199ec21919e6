import { useMemo, useRef, useState } from 'preact/hooks';
import { scrollTopFor } from './window-of-rows.ts';
import { navigate } from '../../routes/router.ts';
import type { DeliveryFeed } from './delivery-feed.ts';
import { DeliveryRow } from './delivery-row.tsx';
import type { ShownFeed } from './use-delivery-feed.ts';
import { type RowWindow, useRowWindow } from './use-row-window.ts';

interface DeliveryRowsProps {
  readonly shown: ShownFeed;
  readonly pathOf: (deliveryId: string) => string;
  /** Where deliveries of several channels are shown: what each is called. */
  readonly channelNames: ReadonlyMap<string, string> | null;
}

/** A list of any length of which only what is in view is in the page; arrows go through it, Enter opens. */
export function DeliveryRows({ shown, pathOf, channelNames }: DeliveryRowsProps) {
  const { feed } = shown;
  const rows = useRowWindow(shown);
  const space = useRef<HTMLDivElement>(null);
  const { activeId, onKeyDown } = useActiveRow({ feed, rows, space, pathOf });
  const rowCount = feed.list.size();
  const activeIndex = activeId === null ? -1 : (feed.list.indexOf(activeId) ?? -1);
  const isActiveInView = activeIndex >= rows.view.first && activeIndex < rows.view.end;
  const showsChannel = channelNames !== null;
  const heads = useMemo(() => headsFor(showsChannel), [showsChannel]);
  return (
    <div
      class={showsChannel ? 'delivery-grid with-channel' : 'delivery-grid'}
      role="grid"
      aria-label="Deliveries"
      aria-rowcount={feed.state().hasMore ? -1 : rowCount + 1}
      aria-activedescendant={isActiveInView ? `row-${activeId}` : undefined}
      tabIndex={0}
      ref={rows.frame}
      onScroll={rows.look}
      onKeyDown={onKeyDown}
    >
      {heads}
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

/** The row that the keys have gone to. It stays the same delivery when others come on top of it. */
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
    const headsPx = space.current?.offsetTop ?? 0; // they stay in view, over the rows
    const view = { rowHeightPx, scrollTopPx: current.scrollTop, viewHeightPx: current.clientHeight - headsPx };
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

function headsFor(showsChannel: boolean) {
  const names = ['Received', 'Status', 'Event', ...(showsChannel ? ['Channel'] : []), 'Sender', 'Destination', 'Note'];
  return (
    <div role="rowgroup" class="delivery-heads">
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

interface Place {
  /** -1 where none is chosen. */
  readonly index: number;
  readonly pageRows: number;
  readonly rowCount: number;
}

function targetOfKey(key: string, { index, pageRows, rowCount }: Place): number | undefined {
  if (key === 'ArrowDown') return index + 1;
  if (key === 'ArrowUp') return Math.max(0, index - 1);
  if (key === 'PageDown') return Math.max(0, index) + pageRows;
  if (key === 'PageUp') return Math.max(0, index - pageRows);
  if (key === 'Home') return 0;
  if (key === 'End') return rowCount - 1;
  return undefined;
}
