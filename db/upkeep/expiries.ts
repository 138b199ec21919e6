import type { Knex } from 'knex';
import { LISTENER_KEPT_DAYS } from '../../contract/listeners/bounds.ts';
import type { RetentionTask } from '../../contract/upkeep/retention.ts';
import { queryRows } from '../core/query-rows.ts';
import { endUnreadListeners } from '../ledger/listeners/end-unread-listeners.ts';
import { deleteOldEvents, type OldRows, type RemovedRows } from '../ledger/upkeep/delete-old-events.ts';
import { deleteOldEventKeys } from './rotate-event-keys.ts';
import { isKeptForSql, isKeptSql } from '../ledger/destinations/kept-urls.ts';

export interface RetentionSettings {
  readonly retentionDays: number;
  readonly eventKeyDays: number;
  /** Of entries of the audit log. */
  readonly auditDays: number;
  /** Of the counts by day. */
  readonly usageMonths: number;
}

/** What is removed after some time, and how. Each batch is a transaction of its own. */
type Expiry = {
  /** Default: `retentionDays`. */
  readonly kept?: { readonly days: number } | { readonly months: number } | keyof RetentionSettings;
} & (
  | {
      /**
       * Which rows `t` are deleted that were created before the cutoff. The table is walked by its ids, which increase
       * with the time of creation, until a batch has no old row.
       */
      readonly where: string;
      readonly createdAt?: string;
      readonly batch?: number;
    }
  /** Deletes at most `:limit` rows, and returns one row for each. It is repeated until it returns none. */
  | { readonly statement: string }
  | { readonly remove: (db: Knex, old: OldRows) => Promise<RemovedRows> }
);

const BATCH_ROWS = 1_000;
const ALERT_DAYS = 90;
/** For which the list shows an ended link. */
const PORTAL_LINK_DAYS = 7;

const expiries: Readonly<Record<RetentionTask, Expiry>> = {
  events: { remove: deleteOldEvents },
  event_keys: { kept: 'eventKeyDays', remove: deleteOldEventKeys },
  replay_items: {
    statement: `
      delete from replay_items i using (
        select planned.replay_id, planned.source_delivery_id from (
          select r.id from replays r
          where r.ended_at < :cutoff and r.run_ended_at is not null
            and exists (select from replay_items i where i.replay_id = r.id)
          order by r.id limit 1
        ) ended join replay_items planned on planned.replay_id = ended.id
        order by planned.source_delivery_id limit :limit
      ) old
      where i.replay_id = old.replay_id and i.source_delivery_id = old.source_delivery_id returning 1`,
  },
  replays: {
    where: `t.ended_at < :cutoff and t.run_ended_at is not null
      and not exists (select from replay_items i where i.replay_id = t.id)`,
  },
  test_events: { where: 'true' },
  destinations: {
    where: `case when ${isKeptSql('t')} then t.updated_at < :cutoff
        else t.type <> 'webhook' and t.deleted_at < :cutoff end
      and not exists (select from subscriptions s where s.destination_id = t.id)
      and not exists (select from listeners l where l.destination_id = t.id)
      and not exists (select from webhook_configs w where w.destination_id = t.id)
      and not exists (select from test_events e where e.destination_id = t.id)
      and not exists (select from destinations kept where ${isKeptForSql('kept', 't.id')})
      and not exists (select from deliveries d where d.shard = t.shard and d.status = 'pending' and d.destination_id = t.id)
      and not exists (select from deliveries d where d.status = 'retrying' and d.destination_id = t.id)`,
  },
  unrouted_events: { where: 'true' },
  webhook_candidates: { where: `t.status <> 'staged' or t.deadline_at < :cutoff` },
  // With their results, one for each channel.
  webhook_rollouts: { where: 't.ended_at < :cutoff and t.run_ended_at is not null', batch: 10 },
  default_webhooks: {
    where: `t.status <> 'current' and t.deadline_at < :cutoff
      and not exists (select from webhook_configs w where w.default_webhook_id = t.id)
      and not exists (select from webhook_candidates k where k.default_webhook_id = t.id)
      and not exists (select from webhook_rollouts r where r.default_webhook_id = t.id)`,
  },
  email_registrations: { where: 't.expires_at < :cutoff' },
  sessions: { where: 't.expires_at < :cutoff or t.revoked_at < :cutoff' },
  // Attempts that connected a channel stay, because their link can connect it again.
  onboarding_attempts: { where: `t.expires_at < :cutoff and t.status <> 'connected'` },
  // Those of alerts belong to their digest. Test calls are kept for as long, or longer.
  notifications: {
    where: `case when t.type = 'alert.test' then t.created_at < now() - interval '${ALERT_DAYS} days'
      else t.onboarding_link_id is not null and t.outcome is not null end`,
  },
  portal_links: { where: 't.expires_at < :cutoff', kept: { days: PORTAL_LINK_DAYS } },
  idempotent_calls: { where: 'true' },
  outbound_calls: { where: 'true' },
  scheduled: { where: `t.ended_at < :cutoff or t.status = 'started' and t.due_at < :cutoff` },
  // The audit log keeps that they were made.
  erasures: { where: 't.ended_at < :cutoff' },
  alerts: { where: 't.resolved_at < :cutoff', kept: { days: ALERT_DAYS }, createdAt: 'opened_at' },
  // With their mails and calls. Who gets the end of an alert follows from the records of its start.
  alert_digests: {
    where: 'not exists (select from alerts a where a.opened_digest_id = t.id)',
    kept: { days: ALERT_DAYS },
    batch: 100,
  },
  audit_entries: {
    statement: 'select from generate_series(1, delete_old_audit_entries(:cutoff, :limit))',
    kept: 'auditDays',
  },
  usage_days: {
    statement: `
      delete from usage_days where (organization_id, day, workspace_id, channel_id) in (
        select organization_id, day, workspace_id, channel_id from usage_days
        where day < cast(:cutoff at time zone 'UTC' as date) limit :limit) returning 1`,
    kept: 'usageMonths',
  },
  invariant_runs: { where: 't.id < (select max(id) from invariant_runs)' },
  unread_listeners: { kept: { days: LISTENER_KEPT_DAYS }, remove: endUnreadListeners },
  listeners: {
    where: 'exists (select from destinations dest where dest.id = t.destination_id and dest.deleted_at < :cutoff)',
  },
};

/** Returns the time before which the rows of this task are old. */
export function cutoffOf(task: RetentionTask, settings: RetentionSettings, now = new Date()): Date {
  const { kept = 'retentionDays' } = expiries[task];
  const age =
    typeof kept !== 'string' ? kept : kept === 'usageMonths' ? { months: settings[kept] } : { days: settings[kept] };
  const cutoff = new Date(now);
  if ('days' in age) cutoff.setUTCDate(cutoff.getUTCDate() - age.days);
  else cutoff.setUTCMonth(cutoff.getUTCMonth() - age.months);
  return cutoff;
}

/** Removes the next batch of a task. `batchRows` replaces the size of a batch. */
export async function removeExpired(
  db: Knex,
  { task, batchRows, ...old }: OldRows & { readonly task: RetentionTask; readonly batchRows?: number },
): Promise<RemovedRows> {
  const expiry = expiries[task];
  if ('remove' in expiry) return await expiry.remove(db, old);
  const { position, cutoff } = old;
  if ('statement' in expiry) {
    const deleted = await queryRows(db, expiry.statement, { cutoff, limit: batchRows ?? BATCH_ROWS });
    const removedCount = deleted.length;
    return { position, removedCount, isDone: removedCount === 0 };
  }
  const limit = batchRows ?? expiry.batch ?? BATCH_ROWS;
  const [walk] = await queryRows<Walk>(db, walkSql(task, expiry), { position, cutoff, limit });
  const { lastId, lookedCount, hasOld, removedCount } = walk!;
  return { position: lastId ?? position, removedCount, isDone: lookedCount < limit || !hasOld };
}

interface Walk {
  readonly lastId: number | null;
  readonly lookedCount: number;
  readonly hasOld: boolean;
  readonly removedCount: number;
}

const walkSql = (table: string, { where, createdAt = 'created_at' }: Extract<Expiry, { where: string }>): string => `
with looked as materialized (
  select id, ${createdAt} < :cutoff as is_old from ${table} where id > :position order by id limit :limit
),
removed as (
  delete from ${table} t using looked where t.id = looked.id and looked.is_old and (${where}) returning 1
)
select (select max(id) from looked) as "lastId", (select count(*)::int from looked) as "lookedCount",
  coalesce((select bool_or(is_old) from looked), false) as "hasOld", (select count(*)::int from removed) as "removedCount"`;
