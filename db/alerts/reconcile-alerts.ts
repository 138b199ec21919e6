import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { type AlertKind, alertKindNames, alertKinds, isMoment } from '../../contract/alerts/kinds.ts';
import { randomId } from '../../contract/ids.ts';
import { queryRows } from '../core/query-rows.ts';
import { type CauseLimits, causesSql } from './causes.ts';

/** Of each kind in one round. The next round opens the rest. */
const MAX_OPENED = 5_000;

export interface ReconciledAlerts {
  readonly openedCount: number;
  readonly resolvedCount: number;
}

/**
 * Makes the alerts match the causes in the database: opens alerts, updates their counts, and resolves those whose cause
 * has ended. May run twice at once, because a cause has at most one open alert.
 */
export async function reconcileAlerts(db: Knex, limits: CauseLimits): Promise<ReconciledAlerts> {
  await judgeReplays(db);
  const total = { openedCount: 0, resolvedCount: 0 };
  for (const kind of alertKindNames) {
    const { openedCount, resolvedCount } = await reconcileKind(db, kind, limits);
    total.openedCount += openedCount;
    total.resolvedCount += resolvedCount;
  }
  return total;
}

async function reconcileKind(db: Knex, kind: AlertKind, limits: CauseLimits): Promise<ReconciledAlerts> {
  const bindings = { ...limits, kind };
  const [counts] = await queryRows<{ resolved: number; missing: number }>(db, compareSql(kind), bindings);
  if (!counts || counts.missing === 0) return { openedCount: 0, resolvedCount: counts?.resolved ?? 0 };
  const publicIds = Array.from({ length: Math.min(counts.missing, MAX_OPENED) }, () => randomId('alert', randomBytes));
  const opened = await queryRows(db, openSql(kind), {
    ...bindings,
    publicIds,
    severity: alertKinds[kind].severity,
  });
  return { openedCount: opened.length, resolvedCount: counts.resolved };
}

const missingSql = (kind: AlertKind): string => `
  select c.* from causes c
  where not exists (select from alerts a where a.kind = :kind and a.cause_key = c.cause_key and a.resolved_at is null)
  ${isMoment(kind) ? handledSql : ''}`;

/** A moment that no alert has shown yet may precede an acknowledgement, so their times are not compared. */
const handledSql = `and not exists (
    select from alerts a where a.kind = :kind and a.cause_key = c.cause_key and a.resolved_at is not null
      and a.last_seen_at >= c.seen_at)`;

/**
 * A last time is renewed at most every ten minutes, so that lasting causes cost no writes. An alert follows its channel to
 * another workspace.
 */
const compareSql = (kind: AlertKind): string => `
with causes as materialized (${causesSql[kind]}),
ended as (
  update alerts a set resolved_at = now(), resolution = 'ended'
  where a.kind = :kind and a.resolved_at is null
    and not exists (select from causes c where c.cause_key = a.cause_key)
  returning 1
),
seen as (
  update alerts a set occurrences = c.occurrences, subject_id = c.subject_id, subject_label = c.subject_label,
    reason = c.reason, workspace_id = c.workspace_id, last_seen_at = ${isMoment(kind) ? 'c.seen_at' : 'now()'}
  from causes c
  where a.kind = :kind and a.resolved_at is null and a.cause_key = c.cause_key
    and (a.occurrences <> c.occurrences or a.subject_label <> c.subject_label or a.reason is distinct from c.reason
      or a.workspace_id is distinct from c.workspace_id
      or ${isMoment(kind) ? 'a.last_seen_at < c.seen_at' : "a.last_seen_at < now() - interval '10 minutes'"})
  returning 1
)
select (select count(*) from ended)::int as resolved, (select count(*) from seen)::int as seen,
  (select count(*) from (${missingSql(kind)}) missing)::int as missing`;

const openSql = (kind: AlertKind): string => `
with causes as materialized (${causesSql[kind]}),
missing as (
  select m.*, row_number() over (order by m.cause_key) as nth from (${missingSql(kind)}) m
)
insert into alerts (public_id, organization_id, workspace_id, channel_id, kind, severity, cause_key, subject_type,
  subject_id, subject_label, reason, occurrences, last_seen_at)
select (cast(:publicIds as text[]))[m.nth], m.organization_id, m.workspace_id, m.channel_id, :kind, :severity, m.cause_key,
  m.subject_type, m.subject_id, m.subject_label, m.reason, m.occurrences, ${isMoment(kind) ? 'm.seen_at' : 'now()'}
from missing m where m.nth <= cardinality(cast(:publicIds as text[]))
on conflict do nothing
returning 1`;

const MAX_REPLAYS = 20;
/** Items of one replay per call. */
const MAX_ITEMS = 2_000;

/**
 * Counts the failures of completed replays, each item once: it advances over the plan and stops at a delivery that still
 * waits. Returns the number of replays that advanced.
 */
async function judgeReplays(db: Knex): Promise<number> {
  const judged = await queryRows<{ id: number }>(db, judgeSql, { maxReplays: MAX_REPLAYS, maxItems: MAX_ITEMS });
  return judged.length;
}

/** A replay that has not advanced moves behind the others by the random order, so that twenty slow ones block none. */
const judgeSql = `
with due as materialized (
  select r.id, r.judged_through, r.missing from replays r
  where r.judged_at is null and r.status = 'completed' order by random() limit :maxReplays
),
items as materialized (
  select due.id, i.source_delivery_id, i.delivery_id, i.nth
  from due cross join lateral (
    select source_delivery_id, delivery_id, row_number() over (order by source_delivery_id) as nth
    from replay_items where replay_id = due.id and source_delivery_id > due.judged_through
    order by source_delivery_id limit :maxItems
  ) i
),
outcomes as materialized (
  select i.id, i.source_delivery_id, i.nth, d.status
  from items i left join lateral (select status from deliveries where deliveries.id = i.delivery_id) d on true
),
stops as (
  select due.id, min(o.nth) filter (where o.status in ('pending', 'retrying')) as stop, count(o.nth) as looked
  from due left join outcomes o on o.id = due.id group by due.id
),
steps as (
  select s.id, s.stop is null and s.looked < :maxItems as is_done, max(o.source_delivery_id) as through,
    count(*) filter (where o.status in ('exhausted', 'cancelled', 'skipped')) as failed
  from stops s left join outcomes o on o.id = s.id and (s.stop is null or o.nth < s.stop)
  group by s.id, s.stop, s.looked
)
update replays r
set judged_through = coalesce(s.through, r.judged_through), judged_failed = r.judged_failed + s.failed,
  last_failed_at = case when s.failed > 0 or r.missing > 0 and r.last_failed_at is null then now() else r.last_failed_at end,
  judged_at = case when s.is_done then now() end
from steps s join due on due.id = s.id
where r.id = s.id and r.judged_at is null and r.judged_through = due.judged_through
returning r.id`;
