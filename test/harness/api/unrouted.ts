import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createPlatformEvents, type PlatformEvents } from '../../../api/ingest/platform-events.ts';
import { sampleEvent } from '../../../contract/webhooks/sample-event.ts';
import type { TestApi } from './api.ts';
import { testHotPool } from '../database/hot-pool.ts';
import { rememberingLog } from '../quiet-log.ts';
import { testBodyBox, type TestChannel } from '../tenants.ts';

export interface UnroutedEvents {
  /** For the API, which starts before its database is known. */
  readonly acceptEvents: (body: Buffer) => Promise<unknown>;
  /** Accepts an event of each nonce while the channel is disconnected. */
  arrive(api: TestApi, channel: TestChannel, nonces: readonly string[]): Promise<void>;
}

export function unroutedEvents(t: ExecutionContext<unknown>): UnroutedEvents {
  let events: PlatformEvents | undefined;
  return {
    acceptEvents: async (body) => await events?.accept(body),
    async arrive({ db, databaseUrl }, { id }, nonces) {
      events ??= openEvents(t, databaseUrl);
      const row = () => db('channels').where({ id });
      const { resource_id: resourceId } = await row().first('resource_id');
      await row().update({ disconnected_at: new Date() });
      for (const nonce of nonces) {
        const eventType = 'chatapp.message.received';
        await events.accept(Buffer.from(sampleEvent({ eventType, resourceId, nonce, atMs: 1_700_000_000_000 })));
      }
    },
  };
}

function openEvents(t: ExecutionContext<unknown>, databaseUrl: string): PlatformEvents {
  const pool = testHotPool(t, databaseUrl, { connections: 2 });
  const events = createPlatformEvents({ pool, bodyBox: testBodyBox, log: rememberingLog() });
  t.teardown(() => events.idle());
  return events;
}

/** Makes the oldest unrouted events unreadable. */
export async function loseBodyKey(db: Knex, count: number): Promise<void> {
  const oldest = db('unrouted_events').orderBy('id').limit(count).select('id');
  await db('unrouted_events').whereIn('id', oldest).update({ body_key_id: 'lost' });
}
