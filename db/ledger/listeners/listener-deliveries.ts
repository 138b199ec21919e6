import type { Knex } from 'knex';
import { validSecretsSql, voidAsSql } from '../destinations/delivery-sql.ts';
import type { StoredBody } from '../../core/body-box.ts';
import { type EventBodyRow, eventPlaceSql, withBody } from '../../core/body-contexts.ts';
import { LISTENER_SHARD } from '../destinations/destinations.ts';
import type { SignableDelivery } from '../../../contract/deliveries/signable-delivery.ts';
import type { ChangePosition } from '../../deliveries/changes.ts';
import { horizonSql } from '../../deliveries/horizon.ts';

export interface ListenerPlace {
  readonly destinationId: number;
  /** Excludes deliveries accepted for another workspace. */
  readonly workspaceId: number;
  readonly after: ChangePosition;
}

export interface ListenerDelivery extends Omit<SignableDelivery, 'body'> {
  readonly body: StoredBody;
  readonly position: ChangePosition;
  readonly attemptCount: number;
  readonly receivedAt: Date;
  readonly sender: string | null;
}

export const FIRST_POSITION: ChangePosition = { xid: 0n, id: 0 };

/** Bounds a turn of the event loop. The first delivery is always returned. */
const MAX_PAGE_BYTES = 1024 * 1024;

/**
 * Returns pending deliveries in the order of their last change. Excludes the oldest running transaction and later ones:
 * rows become visible out of order, and a reader that has passed an id would miss rows committed late.
 */
export async function readListenerDeliveries(
  db: Knex,
  { destinationId, workspaceId, after, limit }: ListenerPlace & { readonly limit: number },
): Promise<ListenerDelivery[]> {
  const { rows } = await db.raw<{ rows: ReadRow[] }>(readSql, {
    destinationId,
    workspaceId,
    xid: String(after.xid),
    id: after.id,
    limit,
    maxBytes: MAX_PAGE_BYTES,
  });
  return rows.map(({ xid, ...row }) => ({ ...withBody(row), position: { xid: BigInt(xid), id: row.id } }));
}

type ReadRow = Omit<ListenerDelivery, 'body' | 'position'> & EventBodyRow & { readonly xid: string };

/** The literal shard enables the partial index of listener rows. */
const isReadable = (delivery: string): string => `
${delivery}.shard = ${LISTENER_SHARD} and ${delivery}.status = 'pending'
  and ${delivery}.xid < ${horizonSql}`;

/** `octet_length` does not load the bodies. */
const readSql = `
with listener as materialized (
  select dest.id, c.public_id as channel_id, ${validSecretsSql} as secrets
  from destinations dest join channels c on c.id = dest.channel_id
  where dest.id = :destinationId and (${voidAsSql}) is null
),
page as materialized (
  select d.* from listener cross join lateral (
    select id, xid, event_id, event_type, attempt_count from deliveries d
    where d.destination_id = listener.id and d.workspace_id = :workspaceId and ${isReadable('d')}
      and (d.xid, d.id) > (cast(:xid as xid8), cast(:id as bigint))
    order by d.xid, d.id
    limit :limit
  ) d
),
measured as materialized (
  select page.*, e.created_at as received_at,
    sum(octet_length(e.body)) over (order by page.xid, page.id rows unbounded preceding) as bytes,
    row_number() over (order by page.xid, page.id) as place
  from page join events e on e.id = page.event_id
)
select m.id, m.xid::text as xid, m.event_id as "eventId", m.event_type as "eventType", m.attempt_count as "attemptCount",
  m.received_at as "receivedAt", listener.channel_id as "channelId", listener.secrets as "sealedSecrets", e.sender,
  e.flags as "eventFlags", e.body, e.body_key_id, ${eventPlaceSql} as place
from measured m cross join listener join events e on e.id = m.event_id join channels c on c.id = e.channel_id
where m.bytes <= :maxBytes or m.place = 1
order by m.xid, m.id`;

/**
 * Returns the indexes of readers with something to read. Must match the read exactly, otherwise readers poll without
 * results. With `exists` instead of `limit 1`, the planner would join all pending rows.
 */
export async function findReadable(db: Knex, places: readonly ListenerPlace[]): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { place: number }[] }>(
    `select w.place - 1 as place
     from unnest(cast(:destinationIds as bigint[]), cast(:workspaceIds as bigint[]), cast(:xids as text[]),
       cast(:ids as bigint[])) with ordinality as w (destination_id, workspace_id, xid, id, place)
     cross join lateral (
       select from deliveries d
       where d.destination_id = w.destination_id and d.workspace_id = w.workspace_id and ${isReadable('d')}
         and (d.xid, d.id) > (w.xid::xid8, w.id)
       order by d.xid, d.id limit 1
     ) first
     join destinations dest on dest.id = w.destination_id
     join channels c on c.id = dest.channel_id
     where (${voidAsSql}) is null`,
    {
      destinationIds: places.map(({ destinationId }) => destinationId),
      workspaceIds: places.map(({ workspaceId }) => workspaceId),
      xids: places.map(({ after }) => String(after.xid)),
      ids: places.map(({ after }) => after.id),
    },
  );
  return rows.map(({ place }) => place);
}
