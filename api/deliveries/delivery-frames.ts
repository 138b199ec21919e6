import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type IdKey, sequencedId } from '../../contract/ids.ts';
import {
  type ChangePage,
  type ChangePosition,
  type DeliveryChanges,
  readDeliveryChanges,
} from '../../db/deliveries/changes.ts';
import type { DeliveryRecord } from '../../db/deliveries/records.ts';
import type { Log } from '../../process/log.ts';
import type { StreamTimes } from '../requests/deps.ts';
import { type FeedSubscription, restMs } from './change-feeds.ts';
import { presentDelivery } from './present.ts';

export interface StreamSource extends Pick<DeliveryChanges, 'channelId' | 'workspaceId' | 'statuses' | 'eventTypes'> {
  /** Of the same channel. Undefined for the whole workspace. */
  readonly channelPublicId: string | undefined;
}

export interface DeliveryFrames {
  readonly db: Knex;
  readonly idKey: IdKey;
  readonly log: Log;
  readonly feed: FeedSubscription;
  readonly source: StreamSource;
  readonly after: ChangePosition;
  /** Aborts on disconnect, loss of access, or shutdown. */
  readonly signal: AbortSignal;
  readonly endedBecause: () => Promise<string | undefined>;
  readonly times: StreamTimes;
}

const PAGE_SIZE = 100;
const RECONNECT_MS = 1_000;

/**
 * Takes a page only after the client has taken the previous one, so a slow client costs little memory. Sends only
 * heartbeats while the database is unavailable.
 */
export async function* deliveryFrames(stream: DeliveryFrames): AsyncGenerator<string, void, void> {
  const { idKey, signal, endedBecause, times } = stream;
  let position = stream.after;
  const closed = (reason: string): string =>
    encodeFrame({ id: frameIdOf(position, idKey), event: 'closed', data: { reason } });
  yield encodeFrame({ retryMs: RECONNECT_MS, id: frameIdOf(position, idKey) });

  let beatAtMs = performance.now();
  while (!signal.aborted) {
    const page = await nextPage(stream, position);
    if (signal.aborted) break; // access may have ended during the read
    position = page.next;
    const frames = page.changes.filter(({ delivery }) => isIncluded(delivery, stream.source));
    if (frames.length > 0) yield frames.map((change) => frameOf(change, idKey)).join('');

    if (performance.now() - beatAtMs >= times.heartbeatMs) {
      beatAtMs = performance.now();
      const reason = await endedBecause();
      if (reason !== undefined) return yield closed(reason);
      yield encodeFrame({ comment: 'still here', id: frameIdOf(position, idKey) });
    }
    const timeoutMs = Math.max(beatAtMs + times.heartbeatMs - performance.now(), 0);
    if (!page.isFull) await stream.feed.waitBeyond(position, { timeoutMs, signal });
  }
  yield closed((await endedBecause()) ?? 'ended');
}

/** Rests after a read of its own, so that a client that reconnects far behind leaves the database to others. */
async function nextPage(stream: DeliveryFrames, after: ChangePosition): Promise<ChangePage> {
  const { db, log, feed, source, signal, times } = stream;
  const shared = feed.after(after, PAGE_SIZE);
  if (shared) return shared;
  const readAtMs = performance.now();
  const page = await readDeliveryChanges(db, { ...source, after, limit: PAGE_SIZE }).catch((error: unknown) => {
    log.warn('stream.readFailed', { error });
    return undefined;
  });
  const rest = page ? restMs({ readMs: performance.now() - readAtMs, isFull: true }, times) : times.pollMs;
  await sleep(rest, undefined, { signal }).catch(() => undefined);
  return page ?? { changes: [], isFull: false, next: after };
}

function isIncluded(
  { channelPublicId, status, eventType }: DeliveryRecord,
  { channelPublicId: channel, statuses, eventTypes }: StreamSource,
): boolean {
  return (
    (channel === undefined || channel === channelPublicId) &&
    (statuses?.includes(status) ?? true) &&
    (eventTypes?.includes(eventType) ?? true)
  );
}

function frameOf({ position, delivery }: ChangePage['changes'][number], idKey: IdKey): string {
  return encodeFrame({ id: frameIdOf(position, idKey), event: 'delivery', data: presentDelivery(delivery, idKey) });
}

function frameIdOf({ xid, id }: ChangePosition, idKey: IdKey): string {
  return `${xid}-${id === 0 ? 0 : sequencedId(idKey, 'delivery', id)}`;
}

/** Without `event` and `data` it only sets the client's last event id. */
interface Frame {
  readonly id?: string | undefined;
  readonly event?: string;
  readonly data?: unknown;
  readonly comment?: string;
  readonly retryMs?: number;
}

/** JSON contains no line breaks, so the data fits on one line. */
function encodeFrame({ id, event, data, comment, retryMs }: Frame): string {
  const lines = [
    comment !== undefined && `: ${comment}`,
    retryMs !== undefined && `retry: ${retryMs}`,
    id !== undefined && `id: ${id}`,
    event !== undefined && `event: ${event}`,
    data !== undefined && `data: ${JSON.stringify(data)}`,
  ];
  return `${lines.filter((line) => line !== false).join('\n')}\n\n`;
}
