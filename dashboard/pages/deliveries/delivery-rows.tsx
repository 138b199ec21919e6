import { useCallback, useMemo, useRef } from 'preact/hooks';
import { formatDuration, pluralize } from '../../kit/format/format.ts';
import { Badge } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import type { DeliveryFeed } from './delivery-feed.ts';
import type { ListedDelivery } from './delivery-filters.ts';
import { deliveryNote, formatInstant, statusTones } from './delivery-note.ts';
import { extended, nothingSelected, type SelectedRows, toggled } from './selection.ts';
import { useActiveRow } from './use-active-row.ts';
import type { ShownFeed } from './use-delivery-feed.ts';
import { useRowWindow } from './use-row-window.ts';

interface DeliveryRowsProps {
  readonly shown: ShownFeed;
  readonly pathOf: (deliveryId: string) => string;
  readonly selected: SelectedRows;
  readonly onSelected: (selected: SelectedRows) => void;
  readonly showsChannel: boolean;
}

/** Arrow keys, `j` and `k` move through the list; Enter opens a delivery, `x` selects it, `r` retries it. */
export function DeliveryRows({ shown, pathOf, selected, onSelected, showsChannel }: DeliveryRowsProps) {
  const { feed } = shown;
  const { id: workspaceId } = useWorkspace();
  const rows = useRowWindow(shown);
  const { view, rowHeightPx } = rows;
  const space = useRef<HTMLDivElement>(null);
  const onSelect = useSelecting({ feed, selected, onSelected });
  const onRetry = (deliveryId: string): void => void retry(workspaceId, deliveryId);
  const { activeId, onKeyDown } = useActiveRow({ feed, rows, space, pathOf, onSelect, onRetry });
  const rowCount = feed.list.size();
  const activeIndex = activeId === null ? -1 : (feed.list.indexOf(activeId) ?? -1);
  const isActiveInView = activeIndex >= view.first && activeIndex < view.end;
  const now = new Date();
  return (
    <div
      class="delivery-grid"
      role="grid"
      aria-label="Deliveries"
      aria-multiselectable="true"
      aria-rowcount={feed.state().hasMore ? -1 : rowCount + 1}
      aria-activedescendant={isActiveInView ? `row-${activeId}` : undefined}
      tabIndex={0}
      ref={rows.frame}
      onScroll={rows.update}
      onKeyDown={onKeyDown}
    >
      <Heads feed={feed} selected={selected} onSelected={onSelected} />
      <div ref={space} role="rowgroup" class="delivery-space" style={{ height: `${rowCount * rowHeightPx}px` }}>
        {Array.from({ length: Math.max(0, view.end - view.first) }, (_, offset) => {
          const index = view.first + offset;
          const delivery = feed.list.at(index);
          if (!delivery) return null;
          const { deliveryId } = delivery;
          return (
            <DeliveryRow
              key={deliveryId}
              {...{ delivery, index, showsChannel, onSelect, now }}
              topPx={index * rowHeightPx}
              href={pathOf(deliveryId)}
              isActive={deliveryId === activeId}
              isFresh={feed.isFresh(deliveryId)}
              isSelected={selected.ids.has(deliveryId)}
            />
          );
        })}
      </div>
    </div>
  );
}

async function retry(workspaceId: string, wd: string): Promise<void> {
  try {
    await apiIn(workspaceId).post('/deliveries/{wd}/retry', { params: { path: { wd } } });
    toast(`Retrying ${wd}.`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), 'warning');
  }
}

interface Selecting {
  readonly feed: DeliveryFeed;
  readonly selected: SelectedRows;
  readonly onSelected: (selected: SelectedRows) => void;
}

/** Stays the same function, so that rows are not rendered again. */
function useSelecting(selecting: Selecting): (deliveryId: string, isRange: boolean) => void {
  const current = useRef(selecting);
  current.current = selecting;
  return useCallback((id, isRange) => {
    const { feed, selected, onSelected } = current.current;
    const { indexOf } = feed.list;
    const at = (index: number) => feed.list.at(index)?.deliveryId;
    onSelected(isRange ? extended(selected, { id, indexOf, at }) : toggled(selected, id));
  }, []);
}

const heads = ['Created', 'Status', 'Response', 'Message', 'Destination', 'Note'];

function Heads({ feed, selected, onSelected }: Selecting) {
  const count = feed.list.size();
  const isAll = selected.ids.size >= count && count > 0;
  const selectLoaded = (): void => {
    const ids = Array.from({ length: count }, (_, index) => feed.list.at(index)!.deliveryId);
    onSelected(isAll ? nothingSelected : { ids: new Set(ids), anchor: null });
  };
  return (
    <div role="rowgroup" class="delivery-heads">
      <div role="row" class="delivery-row" aria-rowindex={1}>
        <div role="columnheader" class="check">
          <input
            type="checkbox"
            aria-label="Select all that are loaded"
            checked={isAll}
            indeterminate={selected.ids.size > 0 && !isAll}
            onClick={selectLoaded}
          />
        </div>
        {heads.map((name) => (
          <div key={name} role="columnheader">
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}

interface DeliveryRowProps {
  readonly delivery: ListedDelivery;
  readonly index: number;
  readonly topPx: number;
  readonly href: string;
  readonly isActive: boolean;
  readonly isFresh: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (deliveryId: string, isRange: boolean) => void;
  readonly showsChannel: boolean;
  readonly now: Date;
}

/** Memoized, because scrolling passes thousands of rows. */
function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, index, topPx, href, isActive, isFresh, isSelected, onSelect, showsChannel, now } = props;
  const note = deliveryNote(delivery, now);
  return useMemo(() => {
    const { deliveryId, createdAt, status, replayOf } = delivery;
    const marks = `${isActive ? ' active' : ''}${isFresh ? ' fresh' : ''}${isSelected ? ' selected' : ''}`;
    return (
      <div
        role="row"
        id={`row-${deliveryId}`}
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        class={`delivery-row${marks}`}
        style={{ top: `${topPx}px` }}
      >
        <div role="gridcell" class="check">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${deliveryId}`}
            checked={isSelected}
            onClick={(event) => {
              onSelect(deliveryId, event.shiftKey);
              focusGrid(event.currentTarget); // which has the shortcuts
            }}
          />
        </div>
        <div role="gridcell" class="created">
          <a href={href} tabIndex={-1} aria-label={`Delivery ${deliveryId}, ${formatInstant(createdAt, now)}`}>
            {formatInstant(createdAt, now)}
          </a>
          {replayOf !== null && <small>replay</small>}
        </div>
        <div role="gridcell" class="status">
          <Badge tone={statusTones[status]}>{status}</Badge>
        </div>
        <Response delivery={delivery} />
        <Message delivery={delivery} />
        <Target delivery={delivery} showsChannel={showsChannel} />
        <div role="gridcell" class="note" title={note}>
          {note}
        </div>
      </div>
    );
  }, [delivery, index, topPx, href, isActive, isFresh, isSelected, onSelect, showsChannel, note]);
}

function focusGrid(inside: Element): void {
  inside.closest<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
}

type Part = Pick<DeliveryRowProps, 'delivery'>;

function Response({ delivery: { lastAttempt, attemptCount } }: Part) {
  return (
    <div role="gridcell" class="response">
      {lastAttempt && (
        <span title={lastAttempt.error ?? undefined}>
          <b class={lastAttempt.outcome}>{lastAttempt.status ?? outcomeWords[lastAttempt.outcome]}</b>{' '}
          {formatDuration(lastAttempt.durationMs)}
        </span>
      )}
      <small>{attemptCount === 0 ? 'no attempt' : pluralize(attemptCount, 'attempt')}</small>
    </div>
  );
}

const outcomeWords = { accepted: 'ok', rejected: 'refused', no_response: 'none', blocked: 'blocked' } as const;

function Message({ delivery: { preview, eventType, sender, erasedAt } }: Part) {
  return (
    <div role="gridcell" class="message">
      <span title={preview ?? undefined}>{preview ?? (erasedAt === null ? '–' : 'erased')}</span>
      <small>
        {eventType}
        {sender !== null && <> · {sender}</>}
      </small>
    </div>
  );
}

function Target({ delivery, showsChannel }: Part & { readonly showsChannel: boolean }) {
  const { destination, lastAttempt, channelName } = delivery;
  const url = lastAttempt?.url ?? destination?.url ?? undefined;
  return (
    <div role="gridcell" class="destination" title={url}>
      <span>
        {destination ? (destination.label ?? destination.type) : '–'}
        {showsChannel && <> · {channelName}</>}
      </span>
      {url !== undefined && <small>{url.replace(/^https?:\/\//, '')}</small>}
    </div>
  );
}
