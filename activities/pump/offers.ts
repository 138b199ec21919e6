import { isDebounced } from '../../contract/destinations/options.ts';
import { type Claim, type ClaimedDelivery, type ClaimedDestination, toDelivery } from '../../db/ledger/claim.ts';
import { type DeliveryOffer, MAX_BEFORE } from '../../db/ledger/offers/delivery-offer.ts';
import { BoundedMap } from '../../process/bounded-map.ts';
import { conversationOf } from './destination-queue.ts';

/**
 * Decides which offers the pump can send without a claim: those that a claim would return unchanged. Their
 * destination is as a claim of the last seconds has read it, and those before them in their conversation are in memory or
 * delivered. These are the ones that had not ended when they were accepted, and those that the accepting statement could
 * not see, because another process committed them meanwhile: the pump remembers what it did not deliver.
 */
export interface Offers {
  /** Returns those that the pump takes, in their order. */
  take(offered: readonly DeliveryOffer[], window: WindowState): readonly ClaimedDelivery[];
  /** Must be called before the ledger is read. */
  claimBegins(): void;
  /** Remembers what a claim has read. Returns the claim without the deliveries that were taken meanwhile. */
  claimed(claim: Claim): Claim;
  /** The ledger knows that the receiver has accepted these. */
  delivered(ids: readonly number[]): void;
  /** These are no longer in memory, without having been delivered. */
  undelivered(rows: readonly ConversationRow[]): void;
  /** The destination, or its deliveries, have changed. */
  drop(destinationId: number): void;
  dropAll(): void;
}

export interface WindowState {
  readonly mayTake: (offer: DeliveryOffer) => boolean;
  readonly isHeld: (id: number) => boolean;
  /** How many more rows a destination may hold. */
  readonly roomOf: (destinationId: number) => number;
}

type ConversationRow = Pick<ClaimedDelivery, 'id' | 'destinationId' | 'conversationKey'>;

/** A claim must read a destination again after this time, because a secret can expire without a change. */
const DESTINATION_MS = 5_000;
const MAX_DESTINATIONS = 10_000;
/** Since the acceptance. The worker's clock may differ from the database's by 5 s. */
const MAX_AGE_MS = 2_000;
/** Longer than an offer is valid, with the difference of the clocks, and than a destination is known. */
export const REMEMBER_MS = 10_000;

interface KnownDestination {
  readonly destination: ClaimedDestination;
  readonly readAtMs: number;
}

export interface OffersOptions {
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
  /** Optional. Unix milliseconds. Default: `Date.now`. */
  readonly clock?: () => number;
}

export function createOffers({ now = () => performance.now(), clock = () => Date.now() }: OffersOptions = {}): Offers {
  const known = new BoundedMap<number, KnownDestination>(MAX_DESTINATIONS);
  const claimedIds = createRecent<number, true>(now);
  const deliveredIds = createRecent<number, true>(now);
  const droppedIds = createRecent<number, true>(now);
  /** By conversation. With `MAX_BEFORE` there may be more. */
  const undeliveredIds = createRecent<string, readonly number[]>(now);
  /** Since the claim in progress began. */
  const takenIds = new Set<number>();
  let readAtMs = now();
  let allDroppedAtMs = -Infinity;

  return {
    take(offered, { mayTake, isHeld, roomOf }) {
      const rooms = new Map<number, number>();
      const declined = new Set<string>();
      const isAhead = (id: number): boolean => isHeld(id) || deliveredIds.get(id) === true;
      return offered.flatMap((offer) => {
        const { destinationId } = offer;
        const room = rooms.get(destinationId) ?? roomOf(destinationId);
        const destination = destinationOf(offer);
        const isNext = !declined.has(conversationOf(offer)) && isNextAfter(offer, isAhead);
        if (!mayTake(offer) || !destination || room <= 0 || !isNext || claimedIds.get(offer.id)) {
          declined.add(conversationOf(offer));
          addUndelivered(offer);
          return [];
        }
        rooms.set(destinationId, room - 1);
        takenIds.add(offer.id);
        return toDelivery(rowOf(offer), destination);
      });
    },
    claimBegins() {
      readAtMs = now();
      takenIds.clear();
    },
    claimed(claim) {
      for (const { id } of claim.deliveries) claimedIds.set(id, true);
      for (const [id, destination] of claim.destinations) known.set(id, { destination, readAtMs });
      return { ...claim, deliveries: claim.deliveries.filter(({ id }) => !takenIds.has(id)) };
    },
    delivered(ids) {
      for (const id of ids) deliveredIds.set(id, true);
    },
    undelivered: (rows) => rows.forEach(addUndelivered),
    drop: (destinationId) => droppedIds.set(destinationId, true),
    dropAll: () => void (allDroppedAtMs = now()),
  };

  /** Undefined if a claim must read it again. */
  function destinationOf(offer: DeliveryOffer): ClaimedDestination | undefined {
    const { destination, readAtMs: atMs } = known.get(offer.destinationId) ?? { readAtMs: -Infinity };
    const isOld = now() - atMs > DESTINATION_MS || clock() - offer.acceptedAtMs > MAX_AGE_MS;
    const isDropped = droppedIds.get(offer.destinationId) ?? now() - allDroppedAtMs < REMEMBER_MS;
    if (isOld || isDropped || destination?.version !== offer.destinationVersion) return undefined;
    return destination.recoveredForMs === null && !isDebounced(destination.options) ? destination : undefined;
  }

  function isNextAfter(offer: DeliveryOffer, isAhead: (id: number) => boolean): boolean {
    const unseen = undeliveredIds.get(conversationOf(offer)) ?? [];
    return [offer.before, unseen].every((ids) => ids.length < MAX_BEFORE && ids.every(isAhead));
  }

  function addUndelivered(row: ConversationRow): void {
    const ids = undeliveredIds.get(conversationOf(row)) ?? [];
    if (ids.length < MAX_BEFORE) undeliveredIds.set(conversationOf(row), [...ids, row.id]);
  }
}

function rowOf(offer: DeliveryOffer): Parameters<typeof toDelivery>[0] {
  return {
    id: offer.id,
    event_id: offer.eventId,
    event_type: offer.eventType,
    flags: offer.eventFlags,
    destination_id: offer.destinationId,
    conversation_key: offer.conversationKey,
    attempt_count: 0,
    created_at: new Date(offer.acceptedAtMs),
    failed_in_schedule: 0,
    body: offer.body,
    body_key_id: offer.bodyKeyId,
    trace_parent: offer.traceParent,
    event_conversation_key: offer.conversationKey,
  };
}

interface Recent<Key, Value> {
  set(key: Key, value: Value): void;
  get(key: Key): Value | undefined;
}

/** Remembers entries for `REMEMBER_MS`, up to twice as long. */
function createRecent<Key, Value>(now: () => number): Recent<Key, Value> {
  let recent = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  let sinceMs = now();
  return {
    set(key, value) {
      if (now() - sinceMs > REMEMBER_MS) {
        [older, recent] = [recent, new Map()];
        sinceMs = now();
      }
      recent.set(key, value);
    },
    get: (key) => recent.get(key) ?? older.get(key),
  };
}
