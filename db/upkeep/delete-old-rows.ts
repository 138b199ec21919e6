import type { Knex } from 'knex';
import type { OldRows, RemovedRows } from '../ledger/upkeep/delete-old-events.ts';

const BATCH_SIZE = 1_000;

/**
 * Conditions for deleting an old row `t`. Ids increase with the creation time. Onboarding attempts that connected a
 * channel stay, because their link can connect it again.
 */
const walks = {
  test_events: 'true',
  unrouted_events: 'true',
  webhook_candidates: `t.status <> 'staged' or t.deadline_at < :cutoff`,
  email_registrations: 't.expires_at < :cutoff',
  sessions: 't.expires_at < :cutoff or t.revoked_at < :cutoff',
  onboarding_attempts: `t.expires_at < :cutoff and t.status <> 'connected'`,
  replays: `t.ended_at < :cutoff and t.run_ended_at is not null
    and not exists (select from replay_items i where i.replay_id = t.id)`,
  destinations: `case when t.kept_for is not null then t.updated_at < :cutoff
      else t.type <> 'webhook' and t.deleted_at < :cutoff end
    and not exists (select from subscriptions s where s.destination_id = t.id)
    and not exists (select from listeners l where l.destination_id = t.id)
    and not exists (select from webhook_configs w where w.destination_id = t.id)
    and not exists (select from test_events e where e.destination_id = t.id)
    and not exists (select from destinations kept where kept.kept_for = t.id)
    and not exists (select from moving_destinations m where m.destination_id = t.id)
    and not exists (select from deliveries d where d.shard = t.shard and d.status = 'pending' and d.destination_id = t.id)
    and not exists (select from deliveries d where d.status = 'retrying' and d.destination_id = t.id)`,
  listeners: `exists (select from destinations dest where dest.id = t.destination_id and dest.deleted_at < :cutoff)`,
  idempotent_calls: 'true',
  outbound_calls: 'true',
  invariant_runs: 't.id < (select max(id) from invariant_runs)',
} as const satisfies Record<string, string>;

export type WalkedTable = keyof typeof walks;

/** Does nothing if the table does not exist. */
export async function deleteOldRows(
  db: Knex,
  { table, position, cutoff }: OldRows & { readonly table: WalkedTable },
): Promise<RemovedRows> {
  if (!(await tableExists(db, table))) return { position, removedCount: 0, isDone: true };
  const { rows } = await db.raw<{ rows: WalkRow[] }>(walkSql(table), { position, cutoff, limit: BATCH_SIZE });
  const { last_id, looked, has_old, removed } = rows[0]!;
  return { position: last_id ?? position, removedCount: removed, isDone: looked < BATCH_SIZE || !has_old };
}

/** Needs no position, because deleted items no longer match. */
export async function deleteOldReplayItems(db: Knex, { position, cutoff }: OldRows): Promise<RemovedRows> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `with ended as materialized (
       select r.id from replays r
       where r.ended_at < :cutoff and r.run_ended_at is not null
         and exists (select from replay_items i where i.replay_id = r.id)
       order by r.id limit 1
     ),
     planned as materialized (
       select i.replay_id, i.source_delivery_id from ended join replay_items i on i.replay_id = ended.id
       order by i.source_delivery_id limit :limit
     ),
     removed as (
       delete from replay_items i using planned
       where i.replay_id = planned.replay_id and i.source_delivery_id = planned.source_delivery_id returning 1
     )
     select count(*)::int as count from removed`,
    { cutoff, limit: BATCH_SIZE },
  );
  const { count } = rows[0]!;
  return { position, removedCount: count, isDone: count === 0 };
}

interface WalkRow {
  last_id: number | null;
  looked: number;
  has_old: boolean;
  removed: number;
}

const walkSql = (table: WalkedTable): string => `
with looked as materialized (
  select id, created_at < :cutoff as is_old from ${table} where id > :position order by id limit :limit
),
removed as (
  delete from ${table} t using looked where t.id = looked.id and looked.is_old and (${walks[table]}) returning 1
)
select (select max(id) from looked) as last_id, (select count(*)::int from looked) as looked,
  coalesce((select bool_or(is_old) from looked), false) as has_old, (select count(*)::int from removed) as removed`;

async function tableExists(db: Knex, table: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { found: boolean }[] }>('select to_regclass(?) is not null as found', [table]);
  return rows[0]!.found;
}
