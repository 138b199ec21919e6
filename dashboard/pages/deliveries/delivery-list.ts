import type { DeliverySummary } from './delivery-filters.ts';

/** Deliveries, newest first, as many as there are: each is found by its place and by its id without a search. */
export interface DeliveryList {
  readonly size: () => number;
  readonly at: (index: number) => DeliverySummary | undefined;
  readonly indexOf: (deliveryId: string) => number | undefined;
  /** Puts the next page of older ones at the end. */
  readonly appendPage: (page: readonly DeliverySummary[]) => void;
  /** Takes in what has changed: in its place where it is known, on top otherwise. */
  readonly take: (delivery: DeliverySummary) => 'added' | 'changed';
}

/**
 * Two arrays that only grow at their ends, the newer ones upside down: what comes on top moves none of the hundred
 * thousand below it, and an id's place in its array never changes.
 */
export function createDeliveryList(): DeliveryList {
  const newer: DeliverySummary[] = [];
  const older: DeliverySummary[] = [];
  /** From 0 on in `older`; from -1 down in `newer`. */
  const places = new Map<string, number>();

  return {
    size: () => newer.length + older.length,
    at: (index) => (index < newer.length ? newer[newer.length - 1 - index] : older[index - newer.length]),
    indexOf(deliveryId) {
      const place = places.get(deliveryId);
      return place === undefined ? undefined : newer.length + place;
    },
    appendPage(page) {
      for (const delivery of page) {
        if (places.has(delivery.deliveryId)) continue;
        places.set(delivery.deliveryId, older.push(delivery) - 1);
      }
    },
    take(delivery) {
      const place = places.get(delivery.deliveryId);
      if (place === undefined) {
        places.set(delivery.deliveryId, -newer.push(delivery));
        return 'added';
      }
      if (place >= 0) older[place] = delivery;
      else newer[-place - 1] = delivery;
      return 'changed';
    },
  };
}
