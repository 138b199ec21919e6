import type { ApiClient } from '../../../client/create-client.ts';
import { followDeliveries } from '../../../client/delivery-stream.ts';
import { createDeliveryList, type DeliveryList } from './delivery-list.ts';
import { type DeliveryFilters, type DeliverySummary, listQueryOf, matchesFilters } from './delivery-filters.ts';

export type TailState = 'off' | 'opening' | 'live' | 'lost' | 'refused';

export interface DeliveryFeed {
  readonly list: DeliveryList;
  readonly state: () => FeedState;
  readonly start: () => void;
  readonly stop: () => void;
  readonly loadMore: () => Promise<void>;
  readonly reload: () => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly isFresh: (deliveryId: string) => boolean;
}

export interface FeedState {
  readonly isLoading: boolean;
  readonly isLoaded: boolean;
  readonly hasMore: boolean;
  readonly error: Error | null;
  readonly tail: TailState;
  readonly isPaused: boolean;
  readonly heldCount: number;
}

export interface FeedOptions {
  readonly client: ApiClient;
  readonly workspaceId: string;
  readonly filters: DeliveryFilters;
  /** Called after each change with the number of rows added at the top. */
  readonly onChange: (addedOnTop: number) => void;
}

const initialState: FeedState = {
  ...{ isLoading: false, isLoaded: false, hasMore: false, error: null },
  ...{ tail: 'off', isPaused: false, heldCount: 0 },
};
const PAGE_SIZE = 100;
const FRESH_MS = 1_500;

/** Loads older pages on demand and adds streamed deliveries at the top. */
export function createDeliveryFeed({ client, workspaceId, filters, onChange }: FeedOptions): DeliveryFeed {
  const list = createDeliveryList();
  const held = new Map<string, DeliverySummary>();
  const freshUntilMs = new Map<string, number>();
  /** Deliveries streamed since the last catch-up started. A page may hold an older version of them. */
  const streamed = new Set<string>();
  let state = initialState;
  let cursor: string | null = null;
  let lastEventId: string | undefined;
  let running: AbortController | undefined;

  function change(changes: Partial<FeedState>, addedOnTop = 0): void {
    state = { ...state, ...changes };
    onChange(addedOnTop);
  }

  async function readPage(from: string | null): Promise<{ deliveries: DeliverySummary[]; nextCursor: string | null }> {
    const query = { ...listQueryOf(filters), limit: PAGE_SIZE, ...(from !== null && { cursor: from }) };
    return await client.get('/deliveries', { params: { query } });
  }

  async function loadPage(): Promise<void> {
    if (state.isLoading) return;
    change({ isLoading: true, error: null });
    try {
      const page = await readPage(cursor);
      list.appendPage(page.deliveries);
      cursor = page.nextCursor;
      change({ isLoading: false, isLoaded: true, hasMore: cursor !== null });
    } catch (error) {
      change({ isLoading: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  function upsertAll(deliveries: Iterable<DeliverySummary>): number {
    let added = 0;
    for (const delivery of deliveries) {
      if (list.upsert(delivery) === 'changed') continue;
      added++;
      freshUntilMs.set(delivery.deliveryId, Date.now() + FRESH_MS);
    }
    return added;
  }

  /** Adds deliveries that were created while no stream was open. */
  async function catchUp(): Promise<void> {
    if (!state.isLoaded || state.isPaused) return;
    streamed.clear();
    const { deliveries } = await readPage(null);
    const added = deliveries.filter(({ deliveryId }) => !streamed.has(deliveryId)).reverse();
    change({}, upsertAll(added));
  }

  function onStreamed(delivery: DeliverySummary): void {
    streamed.add(delivery.deliveryId);
    const isKnown = list.indexOf(delivery.deliveryId) !== undefined;
    if (!isKnown && !matchesFilters(delivery, filters)) return;
    if (!state.isPaused) return change({}, upsertAll([delivery]));
    held.set(delivery.deliveryId, delivery);
    change({ heldCount: held.size });
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { channel, eventType: eventTypes } = filters;
    const scope = channel === undefined ? `workspace:${workspaceId}` : `channel:${channel}`;
    change({ tail: 'opening' });
    const onOpen = (): void => {
      change({ tail: 'live' });
      void catchUp().catch(() => undefined); // the next stream event or page load reports the error
    };
    const onLost = (): void => change({ tail: 'lost' });
    try {
      // Follows all statuses, because a listed delivery may change to one that the filters exclude.
      const followed = followDeliveries({ client, scope, eventTypes, lastEventId, signal, onOpen, onLost });
      for await (const event of followed) {
        lastEventId = event.lastEventId;
        onStreamed(event.delivery);
      }
    } catch (error) {
      if (!signal.aborted) change({ tail: 'refused', error: error instanceof Error ? error : null });
    }
  }

  return {
    list,
    state: () => state,
    start() {
      running = new AbortController();
      const { signal } = running;
      if (!state.isLoaded) void loadPage();
      void follow(signal);
    },
    stop() {
      running?.abort();
      state = { ...state, tail: 'off' };
    },
    loadMore: async () => {
      if (state.hasMore) await loadPage();
    },
    reload: loadPage,
    pause: () => change({ isPaused: true }),
    resume() {
      state = { ...state, isPaused: false, heldCount: 0 };
      const added = upsertAll(held.values());
      held.clear();
      change({}, added);
      void catchUp().catch(() => undefined);
    },
    isFresh: (deliveryId) => (freshUntilMs.get(deliveryId) ?? 0) > Date.now(),
  };
}
