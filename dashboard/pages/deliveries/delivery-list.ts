import type { ListedDelivery } from './delivery-filters.ts';

/** Deliveries, newest first, with constant-time access by index and ID. */
export interface DeliveryList {
  readonly size: () => number;
  readonly at: (index: number) => ListedDelivery | undefined;
  readonly indexOf: (deliveryId: string) => number | undefined;
  readonly appendPage: (page: readonly ListedDelivery[]) => void;
  readonly upsert: (delivery: ListedDelivery) => 'added' | 'changed';
}

/**
 * Keeps two arrays that grow at their ends, the newer one reversed. Adding at the top moves none of up to 100,000 rows,
 * and the position of a delivery in its array stays. Only a delivery that is older than the top moves the others.
 */
export function createDeliveryList(): DeliveryList {
  const newer: ListedDelivery[] = [];
  const older: ListedDelivery[] = [];
  /** Index in `older` from 0 up; in `newer` from -1 down. */
  const positions = new Map<string, number>();
  const at = (index: number) => (index < newer.length ? newer[newer.length - 1 - index] : older[index - newer.length]);

  /** Deliveries of the same time are put above. */
  function insert(delivery: ListedDelivery): void {
    let index = 0;
    while ((at(index)?.createdAt ?? '') > delivery.createdAt) index++;
    if (index <= newer.length) {
      const place = newer.length - index;
      newer.splice(place, 0, delivery);
      for (let moved = place; moved < newer.length; moved++) positions.set(newer[moved]!.deliveryId, -moved - 1);
    } else {
      const place = index - newer.length;
      older.splice(place, 0, delivery);
      for (let moved = place; moved < older.length; moved++) positions.set(older[moved]!.deliveryId, moved);
    }
  }

  return {
    size: () => newer.length + older.length,
    at,
    indexOf(deliveryId) {
      const position = positions.get(deliveryId);
      return position === undefined ? undefined : newer.length + position;
    },
    appendPage(page) {
      for (const delivery of page) {
        if (positions.has(delivery.deliveryId)) continue;
        positions.set(delivery.deliveryId, older.push(delivery) - 1);
      }
    },
    upsert(delivery) {
      const position = positions.get(delivery.deliveryId);
      if (position === undefined) {
        insert(delivery);
        return 'added';
      }
      if (position >= 0) older[position] = delivery;
      else newer[-position - 1] = delivery;
      return 'changed';
    },
  };
}

export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Returns the scroll position that makes a row visible, unchanged if it already is. */
export function scrollTopFor(
  row: number,
  { rowHeightPx, scrollTopPx, viewHeightPx }: { rowHeightPx: number; scrollTopPx: number; viewHeightPx: number },
): number {
  const topPx = row * rowHeightPx;
  if (topPx < scrollTopPx) return topPx;
  return Math.max(scrollTopPx, topPx + rowHeightPx - viewHeightPx);
}
