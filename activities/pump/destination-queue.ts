import type { DestinationOrdering } from '../../contract/deliveries/status.ts';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
import { createAllowance, type Allowance } from './allowance.ts';

export interface QueuedRow {
  readonly id: number;
  readonly destinationId: number;
  readonly shard: number;
  readonly workspaceId: string;
  readonly conversationKey: number;
  readonly ordering: DestinationOrdering;
  /** Null unless the destination's circuit closed recently. */
  readonly recoveredForMs?: number | null;
  /** Optional. Default: no limits of the destination. */
  readonly options?: DestinationLimits | null;
  /** Optional. Further deliveries in the same request. Default: none. */
  readonly following?: readonly { readonly id: number }[];
}

/** As a key of maps. */
export function conversationOf({
  destinationId,
  conversationKey,
}: Pick<QueuedRow, 'destinationId' | 'conversationKey'>): string {
  return `${destinationId} ${conversationKey}`;
}

export type DestinationLimits = Pick<DestinationOptions, 'requestsPerSecond' | 'concurrency'>;

export interface DestinationQueue<Row> {
  readonly shard: number;
  readonly workspaceId: string;
  readonly ready: Row[];
  readonly behind: Map<number, Row[]>;
  readonly allowance: Allowance;
  readonly throughput: Throughput;
  /** The allowance's round of each row in flight. */
  readonly rounds: Map<number, number>;
  /** Rows in flight that the receiver has accepted. */
  readonly unsettled: Set<number>;
  lastId: number;
  /** As the last row that was claimed says. */
  limits: DestinationLimits | null;
  recoveredAtMs: number | undefined;
  heldCount: number;
  /** Deliveries in the requests of other rows. */
  followingCount: number;
}

export interface DestinationQueueOptions {
  readonly shard: number;
  readonly workspaceId: string;
  readonly maxInFlight: number;
  readonly now: () => number;
}

const FIRST_ALLOWANCE = 8;

export function firstAllowance(maxInFlight: number): number {
  return Math.min(FIRST_ALLOWANCE, maxInFlight);
}

export function createDestinationQueue<Row>(options: DestinationQueueOptions): DestinationQueue<Row> {
  const { shard, workspaceId, maxInFlight, now } = options;
  const allowance = createAllowance({ first: firstAllowance(maxInFlight), max: maxInFlight, now });
  return {
    shard,
    workspaceId,
    allowance,
    throughput: createThroughput(now),
    ready: [],
    behind: new Map(),
    rounds: new Map(),
    unsettled: new Set(),
    lastId: 0,
    limits: null,
    recoveredAtMs: undefined,
    heldCount: 0,
    followingCount: 0,
  };
}

export function enqueue<Row extends QueuedRow>(queue: DestinationQueue<Row>, row: Row): void {
  const isLate = row.id < queue.lastId;
  queue.lastId = Math.max(queue.lastId, row.id);
  queue.heldCount++;
  if (row.ordering === 'none') return void queue.ready.push(row);
  const behind = queue.behind.get(row.conversationKey);
  if (!behind) {
    queue.behind.set(row.conversationKey, []);
    queue.ready.push(row);
    return;
  }
  behind.push(isLate ? swapWithReady(queue, row) : row);
  if (isLate) behind.sort((a, b) => a.id - b.id);
}

/**
 * Swaps a late row with the ready row of its conversation. Rows become visible on commit, so a later claim can return a
 * lower id.
 */
function swapWithReady<Row extends QueuedRow>(queue: DestinationQueue<Row>, row: Row): Row {
  const index = queue.ready.findIndex((each) => each.conversationKey === row.conversationKey && each.id > row.id);
  return index < 0 ? row : queue.ready.splice(index, 1, row)[0]!;
}

export function releaseNext<Row extends QueuedRow>(queue: DestinationQueue<Row>, row: Row): void {
  if (row.ordering === 'none') return;
  const behind = queue.behind.get(row.conversationKey);
  if (!behind) return;
  const next = behind.shift();
  if (next) queue.ready.push(next);
  else queue.behind.delete(row.conversationKey);
}

export function takeBehind<Row extends QueuedRow>(queue: DestinationQueue<Row>, row: Row): readonly Row[] {
  if (row.ordering === 'none') return [];
  const behind = queue.behind.get(row.conversationKey) ?? [];
  queue.behind.delete(row.conversationKey);
  return behind;
}

export function takeWaiting<Row extends QueuedRow>(queue: DestinationQueue<Row>): readonly Row[] {
  const waiting = queue.ready.splice(0);
  for (const row of waiting.slice()) waiting.push(...takeBehind(queue, row));
  for (const behind of queue.behind.values()) waiting.push(...behind.splice(0));
  return waiting;
}

/** Measures settled rows per millisecond, weighted towards the last seconds. */
interface Throughput {
  add(): void;
  /** Undefined until enough time has passed. */
  perMs(): number | undefined;
}

/** Slow receivers settle in bursts of one round trip; this smooths them. */
const MEMORY_MS = 2_000;
const TICK_MS = 100;

function createThroughput(now: () => number): Throughput {
  let rows = 0;
  let spanMs = 0;
  let fresh = 0;
  let tickMs = now();

  return {
    add: () => void fresh++,
    perMs() {
      const elapsedMs = now() - tickMs;
      if (elapsedMs >= TICK_MS) {
        const kept = Math.exp(-elapsedMs / MEMORY_MS);
        rows = rows * kept + fresh;
        spanMs = spanMs * kept + elapsedMs;
        tickMs += elapsedMs;
        fresh = 0;
      }
      return spanMs === 0 ? undefined : rows / spanMs;
    },
  };
}
