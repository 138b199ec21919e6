import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type IdKey, sequencedId } from '../../contract/ids.ts';
import { type ChangePosition, type DeliveryChanges, readDeliveryChanges } from '../../db/deliveries/changes.ts';
import type { Log } from '../../process/log.ts';
import type { StreamTimes } from '../requests/deps.ts';
import { presentDelivery } from './present.ts';
import { encodeFrame } from './encode-frame.ts';

export interface DeliveryFrames {
  readonly db: Knex;
  readonly idKey: IdKey;
  readonly log: Log;
  /** Whose changes: of a channel, or of all of the workspace; of some kinds only where they are named. */
  readonly source: Pick<DeliveryChanges, 'channelId' | 'workspaceId' | 'statuses' | 'eventTypes'>;
  /** Where the client was. */
  readonly after: ChangePosition;
  /** Aborts when the client has gone or the process ends. */
  readonly signal: AbortSignal;
  /** What to say at the end, once `signal` has aborted or the caller may read no more; undefined goes on. */
  readonly endedBecause: () => Promise<string | undefined>;
  readonly times?: StreamTimes;
}

const defaultTimes: StreamTimes = { pollMs: 1_000, heartbeatMs: 15_000 };
/** All that is ever in memory of one stream. */
const PAGE_SIZE = 100;
const RECONNECT_MS = 1_000;
/** A reader has the database work for it a fifth of the time at most, however many channels there are to look at. */
const REST_FACTOR = 4;

/**
 * The changes of deliveries, a page at a time. The next page is read when this one has been taken, so that a slow client is
 * read for slowly and costs no memory. While the database is away heartbeats go on, and then the changes go on where they
 * were.
 */
export async function* deliveryFrames(stream: DeliveryFrames): AsyncGenerator<string, void, void> {
  const { idKey, signal, endedBecause, times = defaultTimes } = stream;
  let position = stream.after;
  const closed = (reason: string): string =>
    encodeFrame({ id: placeOf(position, idKey), event: 'closed', data: { reason } });
  yield encodeFrame({ retryMs: RECONNECT_MS, id: placeOf(position, idKey) });

  let beatAtMs = performance.now();
  while (!signal.aborted) {
    const readAtMs = performance.now();
    const page = await nextPage(stream, position);
    const readMs = performance.now() - readAtMs;
    if (signal.aborted) break; // what was read meanwhile may be for nobody's eyes any more
    position = page.position;
    if (page.frames.length > 0) yield page.frames.join('');

    if (performance.now() - beatAtMs >= times.heartbeatMs) {
      beatAtMs = performance.now();
      const reason = await endedBecause();
      if (reason !== undefined) return yield closed(reason);
      yield encodeFrame({ comment: 'still here', id: placeOf(position, idKey) });
    }
    await sleep(restMs({ readMs, isFull: page.isFull }, times), undefined, { signal }).catch(() => undefined);
  }
  yield closed((await endedBecause()) ?? 'ended');
}

/** How long a reader rests after a read: the longer it took, the longer, but a heartbeat is never late for it. */
export function restMs(read: { readonly readMs: number; readonly isFull: boolean }, times: StreamTimes): number {
  return Math.min(times.heartbeatMs, Math.max(read.isFull ? 0 : times.pollMs, read.readMs * REST_FACTOR));
}

interface FramePage {
  readonly frames: readonly string[];
  readonly position: ChangePosition;
  /** There may be more at once. */
  readonly isFull: boolean;
}

async function nextPage(stream: DeliveryFrames, after: ChangePosition): Promise<FramePage> {
  const { db, idKey, log, source } = stream;
  try {
    const page = await readDeliveryChanges(db, { ...source, after, limit: PAGE_SIZE });
    const frames = page.changes.map(({ position, delivery }) =>
      encodeFrame({ id: placeOf(position, idKey), event: 'delivery', data: presentDelivery(delivery, idKey) }),
    );
    return { frames, isFull: page.isFull, position: page.next };
  } catch (error) {
    log.warn('stream.missed', { error });
    return { frames: [], position: after, isFull: false };
  }
}

function placeOf({ xid, id }: ChangePosition, idKey: IdKey): string {
  return `${xid}-${id === 0 ? 0 : sequencedId(idKey, 'delivery', id)}`;
}
