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
  readonly source: Pick<DeliveryChanges, 'channelId' | 'workspaceId' | 'statuses' | 'eventTypes'>;
  readonly after: ChangePosition;
  /** Aborts on disconnect, loss of access, or shutdown. */
  readonly signal: AbortSignal;
  readonly endedBecause: () => Promise<string | undefined>;
  readonly times?: StreamTimes;
}

const defaultTimes: StreamTimes = { pollMs: 1_000, heartbeatMs: 15_000 };
const PAGE_SIZE = 100;
const RECONNECT_MS = 1_000;
/** A stream uses the database for at most a fifth of the time. */
const REST_FACTOR = 4;

/**
 * Reads a page only after the client has taken the previous one, so a slow client costs no memory. Sends only
 * heartbeats while the database is unavailable.
 */
export async function* deliveryFrames(stream: DeliveryFrames): AsyncGenerator<string, void, void> {
  const { idKey, signal, endedBecause, times = defaultTimes } = stream;
  let position = stream.after;
  const closed = (reason: string): string =>
    encodeFrame({ id: frameIdOf(position, idKey), event: 'closed', data: { reason } });
  yield encodeFrame({ retryMs: RECONNECT_MS, id: frameIdOf(position, idKey) });

  let beatAtMs = performance.now();
  while (!signal.aborted) {
    const readAtMs = performance.now();
    const page = await nextPage(stream, position);
    const readMs = performance.now() - readAtMs;
    if (signal.aborted) break; // access may have ended during the read
    position = page.position;
    if (page.frames.length > 0) yield page.frames.join('');

    if (performance.now() - beatAtMs >= times.heartbeatMs) {
      beatAtMs = performance.now();
      const reason = await endedBecause();
      if (reason !== undefined) return yield closed(reason);
      yield encodeFrame({ comment: 'still here', id: frameIdOf(position, idKey) });
    }
    await sleep(restMs({ readMs, isFull: page.isFull }, times), undefined, { signal }).catch(() => undefined);
  }
  yield closed((await endedBecause()) ?? 'ended');
}

export function restMs(read: { readonly readMs: number; readonly isFull: boolean }, times: StreamTimes): number {
  return Math.min(times.heartbeatMs, Math.max(read.isFull ? 0 : times.pollMs, read.readMs * REST_FACTOR));
}

interface FramePage {
  readonly frames: readonly string[];
  readonly position: ChangePosition;
  readonly isFull: boolean;
}

async function nextPage(stream: DeliveryFrames, after: ChangePosition): Promise<FramePage> {
  const { db, idKey, log, source } = stream;
  try {
    const page = await readDeliveryChanges(db, { ...source, after, limit: PAGE_SIZE });
    const frames = page.changes.map(({ position, delivery }) =>
      encodeFrame({ id: frameIdOf(position, idKey), event: 'delivery', data: presentDelivery(delivery, idKey) }),
    );
    return { frames, isFull: page.isFull, position: page.next };
  } catch (error) {
    log.warn('stream.readFailed', { error });
    return { frames: [], position: after, isFull: false };
  }
}

function frameIdOf({ xid, id }: ChangePosition, idKey: IdKey): string {
  return `${xid}-${id === 0 ? 0 : sequencedId(idKey, 'delivery', id)}`;
}
