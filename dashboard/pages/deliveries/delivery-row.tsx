import { useMemo } from 'preact/hooks';
import { destinationName } from '../../charts/statistics-series.ts';
import { Badge } from '../../kit/badge.tsx';
import type { DeliverySummary } from './delivery-filters.ts';
import { deliveryNote, formatReceivedAt, statusTones } from './delivery-note.ts';

interface DeliveryRowProps {
  readonly delivery: DeliverySummary;
  readonly index: number;
  readonly topPx: number;
  readonly href: string;
  readonly isActive: boolean;
  readonly isFresh: boolean;
  readonly channelName: string | null;
  readonly now: Date;
}

/** Memoized, because scrolling passes thousands of rows. */
export function DeliveryRow({ delivery, index, topPx, href, isActive, isFresh, channelName, now }: DeliveryRowProps) {
  const note = deliveryNote(delivery, now);
  return useMemo(() => {
    const { deliveryId, receivedAt, status, eventType, sender, destination } = delivery;
    return (
      <div
        role="row"
        id={`row-${deliveryId}`}
        aria-rowindex={index + 2}
        aria-selected={isActive}
        class={`delivery-row${isActive ? ' active' : ''}${isFresh ? ' fresh' : ''}`}
        style={{ top: `${topPx}px` }}
      >
        <div role="gridcell" class="received">
          <a href={href} tabIndex={-1} aria-label={`Delivery ${deliveryId}, ${formatReceivedAt(receivedAt, now)}`}>
            {formatReceivedAt(receivedAt, now)}
          </a>
        </div>
        <div role="gridcell" class="status">
          <Badge tone={statusTones[status]}>{status}</Badge>
        </div>
        <div role="gridcell" class="event">
          {eventType}
        </div>
        {channelName !== null && (
          <div role="gridcell" class="channel" title={channelName}>
            {channelName}
          </div>
        )}
        <div role="gridcell" class="sender" title={sender ?? undefined}>
          {sender}
        </div>
        <div role="gridcell" class="destination" title={destination?.url ?? undefined}>
          {destination ? destinationName(destination) : '–'}
        </div>
        <div role="gridcell" class="note" title={note}>
          {note}
        </div>
      </div>
    );
  }, [delivery, index, topPx, href, isActive, isFresh, channelName, note]);
}
