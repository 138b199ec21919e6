import { useMemo } from 'preact/hooks';
import { Badge } from '../../kit/badge.tsx';
import { formatDuration } from '../../kit/format/format-duration.ts';
import { pluralize } from '../../kit/format/pluralize.ts';
import type { ListedDelivery } from './filters/delivery-filters.ts';
import { deliveryNote, formatReceivedAt, statusTones } from './delivery-note.ts';

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
export function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, index, topPx, href, isActive, isFresh, isSelected, onSelect, showsChannel, now } = props;
  const note = deliveryNote(delivery, now);
  return useMemo(() => {
    const { deliveryId, receivedAt, status } = delivery;
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
        <div role="gridcell" class="received">
          <a href={href} tabIndex={-1} aria-label={`Delivery ${deliveryId}, ${formatReceivedAt(receivedAt, now)}`}>
            {formatReceivedAt(receivedAt, now)}
          </a>
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
