import type { ChannelType } from '../../contract/event-types.ts';
import { isDataError } from '../../db/core/hot-pool.ts';
import { listUnsentEvents, markSentEvents, type UnroutedEvent } from '../../db/staff/unrouted-events.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import type { ApiDeps } from '../requests/deps.ts';

/** A body can have 4 MiB. */
const EVENTS_PER_CHUNK = 10;

export interface UnroutedSending {
  readonly channel: {
    readonly id: number;
    readonly publicId: string;
    readonly type: ChannelType;
    readonly resourceId: string;
  };
  /** Optional. The id of the last event that an earlier call has read. */
  readonly after?: number | undefined;
  /** Optional. Omits events that arrived before. */
  readonly since?: Date;
  readonly limit: number;
  readonly accept: (body: Buffer) => Promise<unknown>;
}

export interface UnroutedSent {
  readonly sentCount: number;
  readonly skippedCount: number;
  /** Null if no events are left. */
  readonly lastId: number | null;
}

/**
 * Sends at most `limit` events on, oldest first, as the platform's own requests: what the channel has accepted before is
 * a duplicate. Events that can't be decrypted or accepted stay as they are and don't hold up later ones.
 */
export async function sendUnroutedEvents(
  deps: Pick<ApiDeps, 'db' | 'bodyBox' | 'log'>,
  { channel, after = 0, since, limit, accept }: UnroutedSending,
): Promise<UnroutedSent> {
  const { db } = deps;
  const { id: channelId, publicId, type, resourceId } = channel;
  const bodies = openBodies(deps, publicId);
  let lastId = after;
  let readCount = 0;
  let sentCount = 0;
  for (;;) {
    const size = Math.min(EVENTS_PER_CHUNK, limit - readCount);
    const found = await listUnsentEvents(db, {
      type,
      resourceId,
      after: lastId,
      limit: Math.max(size, 1),
      ...(since && { since }),
    });
    const last = found.at(-1);
    if (!last || size === 0) return { sentCount, skippedCount: readCount - sentCount, lastId: last ? lastId : null };
    for (const event of found) await sendOne(event);
    sentCount += await markSentEvents(db, { channelId, ids: found.map(({ id }) => id) });
    readCount += found.length;
    lastId = last.id;
  }

  async function sendOne(event: UnroutedEvent): Promise<void> {
    const body = bodies.attempt(event.body);
    if (!body) return;
    try {
      await accept(body);
    } catch (error) {
      if (!isDataError(error)) throw error;
      deps.log.error('unroutedEvent.acceptFailed', { channelId: publicId, unroutedEventId: event.id });
    }
  }
}
