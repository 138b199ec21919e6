import type { FleetLedger, PumpLedger } from '../../../activities/pump/ledger/pump-ledger.ts';
import { FAILURES_TO_OPEN } from '../../../contract/destinations/circuit.ts';
import type { DeliveryStatus, DestinationOrdering } from '../../../contract/deliveries/status.ts';
import { type Claim, type ClaimedDestination, toDelivery } from '../../../db/ledger/claim.ts';
import { type DeliveryOffer, MAX_BEFORE } from '../../../db/ledger/offers/delivery-offer.ts';
import type { FailedAttempt, FailedSettlement } from '../../../db/ledger/settle-failed.ts';
import type { InFlightDelivery } from '../../../db/ledger/shards/hand-over.ts';
import { type HeldLease, LEASE_MS, LEASES_CHANGED } from '../../../db/ledger/shards/shard-leases.ts';

export interface ModelDestination {
  readonly id: number;
  readonly shard: number;
  readonly ordering: DestinationOrdering;
  version: number;
  circuit: 'closed' | 'open';
  probeAtMs: number;
  closedAtMs: number | undefined;
  failuresInRow: number;
  acceptedAtMs: number;
}

export interface ModelDelivery {
  readonly id: number;
  readonly destination: ModelDestination;
  readonly conversationKey: number;
  readonly acceptedAtMs: number;
  status: DeliveryStatus;
  attemptCount: number;
  failedInSchedule: number;
  nextAttemptAtMs: number | null;
  isOfPump: boolean;
  isParked: boolean;
}

interface Hold {
  readonly untilMs: number;
}

interface Published extends HeldLease, InFlightDelivery {
  readonly untilMs: number;
}

/** Those of the pump and its fleet, without promises. */
type Statements = {
  [Name in keyof (PumpLedger & FleetLedger)]: (
    ...given: Parameters<(PumpLedger & FleetLedger)[Name]>
  ) => Awaited<ReturnType<(PumpLedger & FleetLedger)[Name]>>;
};

type OnNotified = (shards: readonly number[], change?: number) => void;

/**
 * The statements of the pump over objects in memory, each of them at one moment. Follows the SQL in what pumps can tell:
 * states, fences, holds, order, circuits and notifications.
 */
export class ModelLedger {
  readonly destinations = new Map<number, ModelDestination>();
  readonly deliveries = new Map<number, ModelDelivery>();
  /** Called with the payload of each notification. */
  onNotified: OnNotified = () => undefined;
  readonly #workers = new Map<string, number>();
  readonly #leases = new Map<number, { holder: string; fence: number }>();
  readonly #published = new Map<number, Published>();
  readonly #holds = new Map<number, Hold>();

  add(destination: Pick<ModelDestination, 'id' | 'shard' | 'ordering'>): void {
    const { id, shard, ordering } = destination;
    this.destinations.set(id, {
      id,
      shard,
      ordering,
      version: 1,
      circuit: 'closed',
      probeAtMs: 0,
      closedAtMs: undefined,
      failuresInRow: 0,
      acceptedAtMs: -Infinity,
    });
  }

  /** The ids that a statement sees before it commits. */
  waitingIds(destinationId: number, conversationKey: number): readonly number[] {
    const same = [...this.deliveries.values()].filter((one) => one.destination.id === destinationId);
    return same.filter((one) => one.conversationKey === conversationKey && isWaiting(one)).map(({ id }) => id);
  }

  /** Returns the offers to the worker of the shard. */
  accept(
    ids: readonly number[],
    accepted: { destinationId: number; conversationKey: number; before: readonly number[] },
  ): readonly DeliveryOffer[] {
    const destination = this.destinations.get(accepted.destinationId)!;
    const { conversationKey } = accepted;
    const acceptedAtMs = Date.now();
    const destinationVersion = destination.circuit === 'closed' ? destination.version : null;
    return ids.map((id, index) => {
      const fresh = { id, destination, conversationKey, acceptedAtMs, attemptCount: 0, failedInSchedule: 0 };
      this.deliveries.set(id, {
        ...fresh,
        status: 'pending',
        nextAttemptAtMs: null,
        isOfPump: false,
        isParked: false,
      });
      return {
        id,
        eventId: id,
        destinationId: destination.id,
        shard: destination.shard,
        destinationVersion,
        before: index === 0 && destination.ordering !== 'none' ? accepted.before.slice(0, MAX_BEFORE) : [],
        eventType: 'chatapp.message.received',
        eventFlags: null,
        conversationKey,
        traceParent: null,
        acceptedAtMs,
        body: Buffer.alloc(0),
        bodyKeyId: null,
      };
    });
  }

  /** Gives the destination a new address. */
  edit(destinationId: number): void {
    const destination = this.destinations.get(destinationId)!;
    destination.version++;
    this.onNotified([destination.shard], destinationId);
  }

  closeCircuit(destination: ModelDestination): void {
    if (destination.circuit === 'closed') return;
    destination.circuit = 'closed';
    destination.closedAtMs = Date.now();
    this.onNotified([destination.shard], destination.id);
  }

  /** What a delivery's workflow records. */
  settleScheduled(
    delivery: ModelDelivery,
    outcome: { readonly isAccepted: boolean; readonly delayMs: number | undefined },
  ): void {
    if (delivery.status !== 'retrying') return;
    delivery.attemptCount++;
    if (!outcome.isAccepted && outcome.delayMs !== undefined) {
      delivery.failedInSchedule++;
      delivery.nextAttemptAtMs = Date.now() + outcome.delayMs;
      return;
    }
    this.#end(delivery, outcome.isAccepted ? 'delivered' : 'exhausted');
  }

  holderOf(shard: number): string | undefined {
    return this.#leases.get(shard)?.holder;
  }

  readonly statements: Statements = {
    claimDeliveries: (request) => this.#claim(request),
    claimDebounced() {
      throw new Error('No destination is debounced');
    },
    settleAccepted: (settled) => {
      for (const { deliveryId, attempt } of settled) {
        const delivery = this.deliveries.get(deliveryId)!;
        if (!isWaiting(delivery) || delivery.attemptCount >= attempt.number) continue;
        delivery.attemptCount = attempt.number;
        this.#end(delivery, 'delivered');
      }
    },
    settleFailed: ({ failed, rules }) => this.#settleFailed(failed, rules.firstProbeMs),
    recordAccepted: (accepted) => {
      const closedIds: number[] = [];
      for (const { destinationId, endedAtMs } of accepted) {
        const destination = this.destinations.get(destinationId)!;
        destination.acceptedAtMs = Math.max(destination.acceptedAtMs, endedAtMs);
        destination.failuresInRow = 0;
        if (destination.circuit === 'open') closedIds.push(destinationId);
        this.closeCircuit(destination);
      }
      return { closedIds, lockedIds: new Set<number>() };
    },
    markNotSettling: () => undefined,
    postponeUnreadable: () => undefined,
    parkHeldDeliveries: ({ leases, destinationIds, heldIds }) => {
      const held = new Set(heldIds);
      let count = 0;
      for (const one of this.deliveries.values()) {
        const { id, destination } = one;
        if (one.status !== 'pending' || one.isParked || held.has(id) || !destinationIds.includes(destination.id))
          continue;
        const isOwn = leases.some(({ shard, fence }) => shard === destination.shard && this.#fenceOf(shard) === fence);
        if (!isOwn || !this.#isHeldBack(one)) continue;
        one.isParked = true;
        count++;
      }
      return count;
    },
    releaseParkedDeliveries: (shards) => {
      const parked = [...this.deliveries.values()].filter(
        (one) => one.isParked && shards.includes(one.destination.shard),
      );
      const released = parked.filter((one) => !this.#isHeldBack(one));
      for (const one of released) one.isParked = false;
      const destinationIds = [...new Set(released.map(({ destination }) => destination.id))];
      return { count: released.length, destinationIds, hadParked: parked.length > 0 };
    },
    releaseDueRetries: ({ leases, limit }) => {
      const retries = [...this.deliveries.values()].filter(
        ({ status, isOfPump, destination: { shard } }) =>
          status === 'retrying' &&
          isOfPump &&
          leases.some((held) => held.shard === shard && this.#fenceOf(shard) === held.fence),
      );
      const due = retries.filter(({ nextAttemptAtMs }) => nextAttemptAtMs! <= Date.now()).slice(0, limit);
      const counts = new Map<number, number>();
      for (const one of due) {
        one.status = 'pending';
        one.nextAttemptAtMs = null;
        counts.set(one.destination.shard, (counts.get(one.destination.shard) ?? 0) + 1);
      }
      const waits = retries.filter((one) => !due.includes(one)).map((one) => one.nextAttemptAtMs! - Date.now());
      const nextInMs = waits.length === 0 ? null : Math.max(Math.min(...waits), 0);
      return { counts, isCut: due.length >= limit, nextInMs };
    },
    handOver: ({ holder, leases, inFlight, overdueMs }) => {
      for (const { shard, fence } of leases) {
        const lease = this.#leases.get(shard);
        if (lease?.holder !== holder || lease.fence !== fence) continue;
        lease.holder = '';
        const untilMs = Date.now() + overdueMs;
        for (const one of inFlight) if (one.shard === shard) this.#published.set(one.id, { ...one, fence, untilMs });
      }
      this.onNotified([LEASES_CHANGED]);
    },
    endHandOver: (handedOver) => {
      for (const { id, shard, fence } of handedOver) {
        const published = this.#published.get(id);
        if (published?.shard !== shard || published.fence !== fence) continue;
        this.#published.delete(id);
        this.onNotified([shard]);
      }
    },
    readFleet: (reader) => {
      const live = [...this.#workers.keys()].filter((holder) => this.#isLive(holder)).toSorted();
      const leases = [...this.#leases].flatMap(([shard, { holder, fence }]) =>
        holder === reader || this.#isLive(holder) ? [{ shard, holder, fence }] : [],
      );
      return { live, leases, nowMs: Date.now() };
    },
    joinFleet: ({ holder }) => void this.#workers.set(holder, Date.now()),
    leaveFleet: (holder) => {
      this.#workers.delete(holder);
      this.onNotified([LEASES_CHANGED]);
    },
    renewLeases: (holder) => {
      const isMember = this.#workers.has(holder);
      if (isMember) this.#workers.set(holder, Date.now());
      return isMember;
    },
    acquireLeases: ({ shards, holder }) => {
      const acquired = new Map<number, number>();
      for (const shard of shards) {
        const lease = this.#leases.get(shard);
        if (lease && this.#isLive(lease.holder)) continue;
        acquired.set(shard, (lease?.fence ?? 0) + 1);
        this.#leases.set(shard, { holder, fence: acquired.get(shard)! });
      }
      return acquired;
    },
  };

  #claim({
    shards,
    heldIds,
    room,
    heldCounts,
    defaultRoom,
    maxRows,
  }: Parameters<PumpLedger['claimDeliveries']>[0]): Claim {
    const held = new Set(heldIds);
    const heldDestinationIds = new Set<number>();
    const ranked: { readonly place: number; readonly delivery: ModelDelivery }[] = [];
    for (const destination of this.destinations.values()) {
      const isClaimable = destination.circuit === 'closed' || destination.probeAtMs < Date.now() - 120_000;
      if (!shards.includes(destination.shard) || !isClaimable) continue;
      let left = room.get(destination.id) ?? defaultRoom;
      let place = heldCounts?.get(destination.id) ?? 0;
      for (const delivery of this.#pendingOf(destination)) {
        if (left === 0) break;
        if (held.has(delivery.id) || this.#isPublished(delivery)) continue;
        if (this.#isHeldBack(delivery)) {
          heldDestinationIds.add(destination.id);
          continue;
        }
        ranked.push({ place: ++place, delivery });
        left--;
      }
    }
    const chosen = ranked.toSorted((a, b) => a.place - b.place || a.delivery.id - b.delivery.id).slice(0, maxRows);
    const destinations = new Map(
      chosen.map(({ delivery: { destination } }) => [destination.id, this.#claimedOf(destination)]),
    );
    const deliveries = chosen
      .map(({ delivery }) => toDelivery(rowOf(delivery), destinations.get(delivery.destination.id)!))
      .toSorted((a, b) => a.id - b.id);
    const counts = Map.groupBy(deliveries, ({ destinationId }) => destinationId);
    const isCut = chosen.length >= maxRows;
    const full = [...counts].filter(([id, rows]) => isCut || rows.length >= (room.get(id) ?? defaultRoom));
    return {
      deliveries,
      destinations,
      isCut,
      heldDestinationIds: [...heldDestinationIds],
      fullDestinationIds: new Set(full.map(([id]) => id)),
    };
  }

  #pendingOf(destination: ModelDestination): readonly ModelDelivery[] {
    const pending = [...this.deliveries.values()].filter(
      (one) => one.destination === destination && one.status === 'pending' && !one.isParked,
    );
    return pending.toSorted((a, b) => a.id - b.id);
  }

  #isPublished({ id, conversationKey, destination }: ModelDelivery): boolean {
    for (const one of this.#published.values()) {
      if (one.untilMs <= Date.now()) continue;
      if (one.id === id) return true;
      const isSame = one.destinationId === destination.id && one.conversationKey === conversationKey;
      if (isSame && destination.ordering !== 'none') return true;
    }
    return false;
  }

  /** Behind a hold or a parked delivery of its conversation. */
  #isHeldBack({ id, conversationKey, destination }: ModelDelivery): boolean {
    if (destination.ordering === 'none') return false;
    for (const other of this.deliveries.values()) {
      if (other.id >= id || other.destination !== destination || other.conversationKey !== conversationKey) continue;
      if (other.isParked || (this.#holds.get(other.id)?.untilMs ?? -Infinity) > Date.now()) return true;
    }
    return false;
  }

  #claimedOf({ id, shard, ordering, version, closedAtMs }: ModelDestination): ClaimedDestination {
    return {
      shard,
      ordering,
      version,
      url: `https://receiver/${id}/${version}`,
      channelId: `ch_${id}`,
      workspaceId: 'ws_1',
      sealedSecrets: [],
      sendsTraceParent: false,
      options: null,
      sealedCredentials: null,
      channelType: 'chatapp',
      resourceId: `${id}`,
      recoveredForMs: closedAtMs !== undefined && Date.now() - closedAtMs < 60_000 ? Date.now() - closedAtMs : null,
    };
  }

  /** As the SQL does for a destination of whose recent attempts nothing is known. */
  #settleFailed(failed: readonly FailedAttempt[], firstProbeMs: number): FailedSettlement {
    const ids = { moved: new Set<number>(), promoted: new Set<number>(), waiting: new Set<number>() };
    const openedIds = new Set<number>();
    for (const one of failed.toSorted((a, b) => a.deliveryId - b.deliveryId)) {
      const delivery = this.deliveries.get(one.deliveryId)!;
      if (!this.#isValid(one, delivery)) continue;
      const { destination } = delivery;
      const { after, attempt } = one;
      delivery.attemptCount = attempt.number;
      const wasOpen = destination.circuit === 'open' && !openedIds.has(destination.id);
      const isInRow = isAfterSuccess(one, destination.acceptedAtMs);
      if (isInRow && !wasOpen) destination.failuresInRow++;
      const isCounted = !wasOpen && after.next !== 'wait' && !(isInRow && destination.failuresInRow > FAILURES_TO_OPEN);
      if (isCounted) this.#advance(delivery, one, ids);
      else ids.waiting.add(delivery.id);
      if (wasOpen || (after.pauseMs === null && destination.failuresInRow < FAILURES_TO_OPEN)) continue;
      destination.circuit = 'open';
      destination.probeAtMs = Date.now() + (after.pauseMs ?? firstProbeMs);
      openedIds.add(destination.id);
    }
    return {
      movedIds: ids.moved,
      promotedIds: ids.promoted,
      waitingIds: ids.waiting,
      failingDestinationIds: [...openedIds],
      disabledDestinationIds: [],
      lockedIds: new Set(),
    };
  }

  #advance(
    delivery: ModelDelivery,
    { after, hold }: FailedAttempt,
    ids: { moved: Set<number>; promoted: Set<number> },
  ): void {
    ids.moved.add(delivery.id);
    delivery.failedInSchedule++;
    if (after.next !== 'retry') return this.#end(delivery, 'exhausted');
    delivery.status = 'retrying';
    delivery.nextAttemptAtMs = after.nextAttemptAtMs;
    delivery.isOfPump = after.by === 'pump';
    if (!delivery.isOfPump) ids.promoted.add(delivery.id);
    if (hold) this.#holds.set(delivery.id, { untilMs: hold.untilMs });
  }

  #isValid({ kind, attempt, lease }: FailedAttempt, delivery: ModelDelivery): boolean {
    const before = kind === 'scheduled' ? 'retrying' : 'pending';
    if (delivery.status !== before || delivery.attemptCount !== attempt.number - 1) return false;
    if (!lease || this.#fenceOf(lease.shard) === lease.fence) return true;
    const published = this.#published.get(delivery.id);
    return published?.fence === lease.fence && published.untilMs > Date.now();
  }

  #end(delivery: ModelDelivery, status: 'delivered' | 'exhausted'): void {
    delivery.status = status;
    delivery.nextAttemptAtMs = null;
    delivery.isParked = false;
    if (this.#holds.delete(delivery.id)) this.onNotified([delivery.destination.shard]);
  }

  #fenceOf(shard: number): number | undefined {
    return this.#leases.get(shard)?.fence;
  }

  #isLive(holder: string): boolean {
    return Date.now() - (this.#workers.get(holder) ?? -Infinity) < LEASE_MS;
  }
}

function isAfterSuccess({ after, attempt, succeededAtMs = 0 }: FailedAttempt, acceptedAtMs: number): boolean {
  const failedAtMs = attempt.startedAtMs + attempt.durationMs;
  return after.countsForCircuit === 'always' && failedAtMs >= Math.max(acceptedAtMs, succeededAtMs);
}

export function isWaiting({ status }: ModelDelivery): boolean {
  return status === 'pending' || status === 'retrying';
}

function rowOf(delivery: ModelDelivery): Parameters<typeof toDelivery>[0] {
  const { id, destination, conversationKey, attemptCount, failedInSchedule } = delivery;
  return {
    id,
    event_id: id,
    event_type: 'chatapp.message.received',
    flags: null,
    destination_id: destination.id,
    conversation_key: conversationKey,
    attempt_count: attemptCount,
    created_at: new Date(delivery.acceptedAtMs),
    failed_in_schedule: failedInSchedule,
    body: Buffer.alloc(0),
    body_key_id: null,
    trace_parent: null,
    event_conversation_key: conversationKey,
  };
}
