import { createHash } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { allShards } from '../../../contract/deliveries/shards.ts';
import type { IdKey } from '../../../contract/ids.ts';
import type { ChannelEventType } from '../../../contract/event-types.ts';
import type { DeliveryStatus, SkipReason } from '../../../contract/deliveries/status.ts';
import { acceptItems, type AcceptItem } from '../../../db/ledger/accept.ts';
import { claimDeliveries, type Claim, type ClaimRequest } from '../../../db/ledger/claim.ts';
import { commitDestination, insertDestination } from '../../../db/ledger/destinations/destinations.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { type TestDatabase, type TestDatabaseOptions } from '../database/database.ts';
import { testHotPool } from '../database/hot-pool.ts';
import { eventually } from '../eventually.ts';
import { aChannel, type Tenant, type TestChannel } from '../tenants.ts';
import { tenantDatabase } from '../tenant-database.ts';

export interface LedgerChannel extends TestChannel {
  readonly resourceId: string;
}

export interface HotLedger extends TestDatabase {
  readonly pool: HotPool;
  readonly idKey: IdKey;
  readonly tenant: Tenant;
  readonly channel: LedgerChannel;
  anotherPool(connections?: number): HotPool;
}

export async function hotLedger(t: ExecutionContext<unknown>, options: TestDatabaseOptions = {}): Promise<HotLedger> {
  const { db, url, another, tenant } = await tenantDatabase(t, options);
  const anotherPool = (connections = 6) => testHotPool(t, url, { connections });
  const { idKey } = await readInstallation(db);
  const channel = await aChannel(db, tenant.workspace, { resourceId: 'res-1' });
  return {
    db,
    url,
    another,
    pool: anotherPool(),
    idKey,
    tenant,
    channel: { ...channel, resourceId: 'res-1' },
    anotherPool,
  };
}

export async function aWebhookDestination(
  { db }: Pick<HotLedger, 'db'>,
  channel: TestChannel,
  url = 'https://receiver.example.com/hook',
): Promise<{ id: number; shard: number }> {
  const id = await insertDestination(db, { channelId: channel.id, type: 'webhook', url });
  return { id, shard: await readShard(db, id) };
}

export async function aSubscriptionDestination(
  { db }: Pick<HotLedger, 'db'>,
  channel: TestChannel,
  eventTypes: readonly ChannelEventType[] = ['chatapp.message.received'],
): Promise<number> {
  const url = 'https://receiver.example.com/subscription';
  const staged = { type: 'subscription', label: null, enabled: true, staged: true } as const;
  const id = await insertDestination(db, { channelId: channel.id, url, eventTypes, ...staged });
  await commitDestination(db, id);
  return id;
}

async function readShard(db: TestDatabase['db'], id: number): Promise<number> {
  const row = await db<{ id: number; shard: number }>('destinations').where({ id }).first('shard');
  return row!.shard;
}

let lastItem = 0;

export function anItem(item: Partial<AcceptItem> = {}): AcceptItem {
  const number = ++lastItem;
  return {
    channelType: 'chatapp',
    resourceId: 'res-1',
    eventType: 'chatapp.message.received',
    conversationKey: 1,
    sender: '15550001',
    platformMessageId: `mid.${number}`,
    key: keyOf(`item ${number}`),
    body: Buffer.from(`{"n":${number}}`),
    ...item,
  };
}

export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export interface DeliveryRow {
  readonly id: number;
  readonly event_id: number;
  readonly destination_id: number | null;
  readonly shard: number;
  readonly conversation_key: number;
  readonly status: DeliveryStatus;
  readonly skip_reason: SkipReason | null;
  readonly attempt_count: number;
  readonly failed_in_schedule: number;
  readonly next_attempt_at: Date | null;
}

export async function deliveryRows(pool: HotPool): Promise<DeliveryRow[]> {
  const { rows } = await pool.query<DeliveryRow>('select * from deliveries order by id');
  return rows;
}

/** Accepts the items and returns their deliveries' ids. */
export async function accepted(pool: HotPool, items: readonly AcceptItem[]): Promise<number[]> {
  const { rows: before } = await pool.query<{ id: number }>('select coalesce(max(id), 0) as id from deliveries');
  await acceptItems(pool, items);
  const { rows } = await pool.query<{ id: number }>('select id from deliveries where id > $1 order by id', [
    before[0]!.id,
  ]);
  return rows.map(({ id }) => id);
}

/** Accepts new items, all of one conversation by default, and returns their deliveries' ids. */
export async function acceptedItems(pool: HotPool, count: number, conversationOf = (_index: number) => 1) {
  return await accepted(pool, items(count, conversationOf));
}

export const items = (count: number, conversationOf: (index: number) => number = () => 1) =>
  Array.from({ length: count }, (_, index) => anItem({ conversationKey: conversationOf(index) }));

const anyRequest: ClaimRequest = {
  shards: allShards,
  heldIds: [],
  room: new Map(),
  defaultRoom: 100,
  maxRows: 512,
};

/** Of all shards by default. */
export async function claim(pool: HotPool, request: Partial<ClaimRequest> = {}): Promise<Claim> {
  return await claimDeliveries(pool, { ...anyRequest, ...request });
}

/** Waits until a statement, optionally one like `query`, waits for a lock. */
export async function untilBlockedByLock(db: TestDatabase['db'], query = '%'): Promise<void> {
  await eventually(async () => {
    // PostgreSQL shows the beginning of a long query.
    const { rows } = await db.raw(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like ?`,
      [query],
    );
    return rows.length > 0;
  });
}
