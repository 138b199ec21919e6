import type { ApiClient } from '../../../client/create-client.ts';
import { followDeliveries } from '../../../client/delivery-stream.ts';
import { createDeliveryList, type DeliveryList } from './delivery-list.ts';
import { type DeliveryFilters, type DeliverySummary, listQueryOf, matchesFilters } from './delivery-filters.ts';

/** How the list is kept up to date, by the stream of its channel or workspace. */
export type TailState = 'off' | 'opening' | 'live' | 'lost' | 'refused';

export interface DeliveryFeed {
  readonly list: DeliveryList;
  readonly state: () => FeedState;
  /** Loads the first page unless it is here, and follows. */
  readonly start: () => void;
  /** Ends the following; what is here stays. */
  readonly stop: () => void;
  readonly loadMore: () => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Holds back what comes until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Whether it came on top a moment ago. */
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
  /** Speaks within the workspace. */
  readonly client: ApiClient;
  readonly workspaceId: string;
  readonly filters: DeliveryFilters;
  /** Called after each change; `addedOnTop` rows have pushed the others down. */
  readonly onChange: (addedOnTop: number) => void;
}

const atFirst: FeedState = {
  ...{ isLoading: false, isLoaded: false, hasMore: false, error: null },
  ...{ tail: 'off', isPaused: false, heldCount: 0 },
};
const PAGE_SIZE = 100;
const FRESH_MS = 1_500;

/** A list of deliveries that is read page by page from its end, and grows on top by itself. */
export function createDeliveryFeed({ client, workspaceId, filters, onChange }: FeedOptions): DeliveryFeed {
  const list = createDeliveryList();
  const held = new Map<string, DeliverySummary>();
  const freshUntilMs = new Map<string, number>();
  /** Told of by the stream while a page was on its way: the page may know less. */
  const streamed = new Set<string>();
  let state = atFirst;
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

  function takeAll(deliveries: Iterable<DeliverySummary>): number {
    let added = 0;
    for (const delivery of deliveries) {
      if (list.take(delivery) === 'changed') continue;
      added++;
      freshUntilMs.set(delivery.deliveryId, Date.now() + FRESH_MS);
    }
    return added;
  }

  /** Reads the first page again, for what came while nobody was told. */
  async function catchUp(): Promise<void> {
    if (!state.isLoaded || state.isPaused) return;
    streamed.clear();
    const { deliveries } = await readPage(null);
    const news = deliveries.filter(({ deliveryId }) => !streamed.has(deliveryId)).reverse();
    change({}, takeAll(news));
  }

  function onStreamed(delivery: DeliverySummary): void {
    streamed.add(delivery.deliveryId);
    const isKnown = list.indexOf(delivery.deliveryId) !== undefined;
    if (!isKnown && !matchesFilters(delivery, filters)) return;
    if (!state.isPaused) return change({}, takeAll([delivery]));
    held.set(delivery.deliveryId, delivery);
    change({ heldCount: held.size });
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { channel, eventType: eventTypes } = filters;
    const scope = channel === undefined ? `workspace:${workspaceId}` : `channel:${channel}`;
    change({ tail: 'opening' });
    const onOpen = (): void => {
      change({ tail: 'live' });
      void catchUp().catch(() => undefined); // the next change or page tells of the same trouble
    };
    const onLost = (): void => change({ tail: 'lost' });
    try {
      // Of all states: one that is shown and moves on is told of too.
      const followed = followDeliveries({ client, scope, eventTypes, lastEventId, signal, onOpen, onLost });
      for await (const told of followed) {
        lastEventId = told.lastEventId;
        onStreamed(told.delivery);
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
      const added = takeAll(held.values());
      held.clear();
      change({}, added);
      void catchUp().catch(() => undefined);
    },
    isFresh: (deliveryId) => (freshUntilMs.get(deliveryId) ?? 0) > Date.now(),
  };
}
