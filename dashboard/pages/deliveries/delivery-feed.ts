import type { ApiClient, Schema } from '../../../client/create-client.ts';
import { followDeliveries } from '../../../client/delivery-stream.ts';
import { asError } from '../../kit/as-error.ts';
import {
  type DeliveryFilters,
  type DeliverySummary,
  type ListedDelivery,
  listQueryOf,
  matchesFilters,
} from './delivery-filters.ts';
import { createDeliveryList, type DeliveryList } from './delivery-list.ts';

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
  /** Reads the newest page again. */
  readonly refresh: () => void;
}

export interface FeedState {
  readonly isLoading: boolean;
  readonly isLoaded: boolean;
  readonly hasMore: boolean;
  readonly error: Error | null;
  readonly tail: TailState;
  readonly isPaused: boolean;
  /** Deliveries that are not listed yet. Changes of listed ones are held too. */
  readonly heldCount: number;
  /** What the search has compared so far, or null without one. */
  readonly search: SearchProgress | null;
}

export interface SearchProgress {
  readonly isScan: boolean;
  readonly scannedCount: number;
  readonly scannedBackTo: string | null;
}

export interface FeedOptions {
  readonly client: ApiClient;
  readonly workspaceId: string;
  readonly filters: DeliveryFilters;
  /** Called after each change with the number of rows added at the top. */
  readonly onChange: (addedOnTop: number) => void;
}

const initialState: FeedState = {
  isLoading: false,
  isLoaded: false,
  hasMore: false,
  error: null,
  tail: 'off',
  isPaused: false,
  heldCount: 0,
  search: null,
};
const PAGE_SIZE = 100;
const FRESH_MS = 1_500;
/** Streamed deliveries lack their last attempt and preview. Pages are read for them, at most this often. */
const DETAILS_MS = 1_000;

/** Loads older pages on demand and adds streamed deliveries at the top. */
export function createDeliveryFeed({ client, workspaceId, filters, onChange }: FeedOptions): DeliveryFeed {
  const list = createDeliveryList();
  const held = new Map<string, DeliverySummary>();
  const freshUntilMs = new Map<string, number>();
  /** Deliveries streamed since the last catch-up started. A page may hold an older version of them. */
  const streamed = new Set<string>();
  /** Listed deliveries that were streamed since their last attempt and preview were read, oldest change first. */
  const incomplete = new Set<string>();
  const details = delayed(() => void readDetails().catch(() => undefined), DETAILS_MS);
  const readPage = pageReader(client, filters);
  const { status: _status, httpStatus: _httpStatus, ...lastingFilters } = filters;
  let state = initialState;
  let cursor: string | null = null;
  let lastEventId = undefined as string | undefined;
  let running = undefined as AbortController | undefined;

  const change = (changes: Partial<FeedState>, addedOnTop = 0): void => {
    state = { ...state, ...changes };
    onChange(addedOnTop);
  };

  async function loadPage(): Promise<void> {
    if (state.isLoading) return;
    change({ isLoading: true, error: null });
    try {
      const page = await readPage(cursor);
      list.appendPage(page.deliveries);
      cursor = page.nextCursor;
      const search = searched(state.search, page.search);
      state = { ...state, isLoading: false, isLoaded: true, hasMore: cursor !== null, search };
      change({}, state.isPaused ? 0 : releaseHeld());
    } catch (error) {
      change({ isLoading: false, error: asError(error) });
    }
  }

  function upsertAll(deliveries: Iterable<ListedDelivery>): number {
    let added = 0;
    for (const delivery of deliveries) {
      if (isBeyondLoaded(delivery)) continue;
      if (list.upsert({ ...keptDetails(list, delivery), ...delivery }) === 'changed') continue;
      added++;
      freshUntilMs.set(delivery.deliveryId, Date.now() + FRESH_MS);
    }
    return added;
  }

  function releaseHeld(): number {
    const deliveries = [...held.values()];
    held.clear();
    return addStreamed(deliveries);
  }

  function addStreamed(deliveries: readonly DeliverySummary[]): number {
    const added = upsertAll(deliveries);
    for (const { deliveryId } of deliveries) if (list.indexOf(deliveryId) !== undefined) incomplete.add(deliveryId);
    if (deliveries.length > 0) details.start();
    return added;
  }

  /** The page of an older delivery is still to be loaded. */
  function isBeyondLoaded({ deliveryId, createdAt }: DeliverySummary): boolean {
    const last = list.at(list.size() - 1);
    return state.hasMore && last !== undefined && createdAt < last.createdAt && list.indexOf(deliveryId) === undefined;
  }

  async function readDetails(): Promise<void> {
    if (state.isPaused || running?.signal.aborted) return;
    addDetails((await readPage(null)).deliveries);
    const [deliveryId] = incomplete;
    const older = deliveryId === undefined ? undefined : list.at(list.indexOf(deliveryId) ?? -1);
    if (older) {
      // Its status may no longer match the filters.
      const readOlder = pageReader(client, { ...lastingFilters, until: afterInstant(older.createdAt) });
      addDetails((await readOlder(null)).deliveries);
      incomplete.delete(older.deliveryId);
      if (incomplete.size > 0) details.start();
    }
    change({});
  }

  /** Rows that changed meanwhile keep what the stream said, and are streamed again. */
  function addDetails(deliveries: readonly ListedDelivery[]): void {
    const read = deliveries.filter((one) => isUnchanged(list, one));
    upsertAll(read);
    for (const { deliveryId } of read) incomplete.delete(deliveryId);
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
    const isKnown = list.indexOf(delivery.deliveryId) !== undefined || held.has(delivery.deliveryId);
    if (!isKnown && (!matchesFilters(delivery, filters) || isBeyondLoaded(delivery))) return;
    if (!state.isPaused && state.isLoaded) return change({}, addStreamed([delivery]));
    held.set(delivery.deliveryId, delivery);
    change({ heldCount: state.heldCount + (isKnown ? 0 : 1) });
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { eventType: eventTypes } = filters;
    const scope = scopeOf(workspaceId, filters);
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
      // The service alone knows what a search finds.
      if (filters.search === undefined) void follow(signal);
    },
    stop() {
      running?.abort();
      details.stop();
      state = { ...state, tail: 'off' };
    },
    loadMore: async () => {
      if (state.hasMore) await loadPage();
    },
    reload: loadPage,
    pause: () => change({ isPaused: true }),
    resume() {
      state = { ...state, isPaused: false, heldCount: 0 };
      change({}, releaseHeld());
      void catchUp().catch(() => undefined);
    },
    refresh: details.start,
    isFresh: (deliveryId) => (freshUntilMs.get(deliveryId) ?? 0) > Date.now(),
  };
}

function isUnchanged(list: DeliveryList, { deliveryId, status, attemptCount }: ListedDelivery): boolean {
  const shown = list.at(list.indexOf(deliveryId) ?? -1);
  return shown?.status === status && shown.attemptCount === attemptCount;
}

/** Lists end before their `until`. */
function afterInstant(at: string): string {
  return new Date(Date.parse(at) + 1).toISOString();
}

function scopeOf(workspaceId: string, { channels }: DeliveryFilters): string {
  return channels?.length === 1 ? `channel:${channels[0]}` : `workspace:${workspaceId}`;
}

function pageReader(client: ApiClient, filters: DeliveryFilters) {
  const query = { ...listQueryOf(filters), include: 'lastAttempt,preview', limit: PAGE_SIZE };
  return async (cursor: string | null) =>
    await client.get('/deliveries', { params: { query: { ...query, ...(cursor !== null && { cursor }) } } });
}

/** The text stays; the last attempt only if there was no further one. */
function keptDetails(list: DeliveryList, { deliveryId, attemptCount }: ListedDelivery): Partial<ListedDelivery> {
  const before = list.at(list.indexOf(deliveryId) ?? -1);
  if (!before) return {};
  const { preview, lastAttempt } = before;
  return {
    ...(preview !== undefined && { preview }),
    ...(lastAttempt !== undefined && before.attemptCount === attemptCount && { lastAttempt }),
  };
}

/** Acts once after the delay, however often it is started until then. */
function delayed(act: () => void, delayMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    start(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, delayMs);
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

type SearchReport = NonNullable<Schema<'DeliveryList'>['search']>;

function searched(before: SearchProgress | null, report: SearchReport | undefined): SearchProgress | null {
  if (!report) return before;
  return {
    isScan: report.by === 'scan',
    scannedCount: (before?.scannedCount ?? 0) + report.scannedCount,
    scannedBackTo: report.scannedBackTo ?? before?.scannedBackTo ?? null,
  };
}
