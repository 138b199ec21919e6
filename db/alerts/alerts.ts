import type { Knex } from 'knex';
import type { AlertKind, AlertSeverity, AlertStatus } from '../../contract/alerts/kinds.ts';
import type { PresentedAlert } from '../../contract/alerts/present-alert.ts';
import { queryRows } from '../core/query-rows.ts';

export interface AlertRecord extends PresentedAlert {
  readonly id: number;
  readonly organizationId: number;
  /** Null for the whole organization. */
  readonly workspaceId: number | null;
}

export interface AlertView {
  readonly organizationId: number;
  /** Null for an admin of the organization, who sees all alerts. Others see those of their workspaces. */
  readonly viewerId: number | null;
  /** Of a key that is limited to them. Null for all. */
  readonly visibleIds: readonly number[] | null;
  /** Null for all. */
  readonly workspaceId: number | null;
}

export interface AlertPage extends AlertView {
  readonly channelPublicId?: string | undefined;
  readonly status?: AlertStatus | undefined;
  readonly kind?: AlertKind | undefined;
  readonly severity?: AlertSeverity | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export async function findAlert(db: Knex, publicId: string): Promise<AlertRecord | undefined> {
  const [alert] = await queryRows<AlertRecord>(db, `${alertSql} where a.public_id = :publicId`, { publicId });
  return alert;
}

/** Returns undefined if `after` does not exist. */
export async function listAlerts(db: Knex, page: AlertPage): Promise<AlertRecord[] | undefined> {
  const { organizationId, viewerId, visibleIds, workspaceId, channelPublicId, status, kind, severity, after, limit } =
    page;
  const before = after === undefined ? undefined : await findAlert(db, after);
  if (after !== undefined && before?.organizationId !== organizationId) return undefined;
  const isOpen = status === undefined ? '' : `and a.resolved_at is ${status === 'open' ? 'null' : 'not null'}`;
  return await queryRows<AlertRecord>(
    db,
    `${alertSql} where ${viewSql} ${isOpen}
       and (cast(:channelPublicId as text) is null or c.public_id = cast(:channelPublicId as text))
       and (cast(:ofKind as text) is null or a.kind = cast(:ofKind as text))
       and (cast(:severity as text) is null or a.severity = cast(:severity as text))
       and (cast(:last as bigint) is null or a.id < cast(:last as bigint))
     order by a.id desc limit :limit`,
    {
      organizationId,
      viewerId,
      visibleIds,
      workspaceId,
      limit,
      last: before?.id ?? null,
      channelPublicId: channelPublicId ?? null,
      ofKind: kind ?? null,
      severity: severity ?? null,
    },
  );
}

export interface AlertCounts {
  readonly warning: number;
  readonly critical: number;
}

/** More open alerts of a severity are not counted. */
const MAX_COUNTED_ALERTS = 1_000;

export async function countOpenAlerts(db: Knex, view: AlertView): Promise<AlertCounts> {
  const countSql = (severity: string): string => `(select count(*)::int from (
    select from alerts a where ${viewSql} and a.resolved_at is null and a.severity = '${severity}' limit :limit) counted)`;
  const { organizationId, viewerId, visibleIds, workspaceId } = view;
  const [counts] = await queryRows<AlertCounts>(
    db,
    `select ${countSql('warning')} as warning, ${countSql('critical')} as critical`,
    { organizationId, viewerId, visibleIds, workspaceId, limit: MAX_COUNTED_ALERTS },
  );
  return counts ?? { warning: 0, critical: 0 };
}

export interface Acknowledgement {
  readonly id: number;
  readonly by: string;
  /** Whether the cause is in the past, so that nothing remains to be done. */
  readonly resolves: boolean;
}

/** Returns false if the alert is resolved. Keeps an earlier acknowledgement. */
export async function acknowledgeAlert(trx: Knex, { id, by, resolves }: Acknowledgement): Promise<boolean> {
  const changed = await queryRows(
    trx,
    `update alerts set acknowledged_at = coalesce(acknowledged_at, now()), acknowledged_by = coalesce(acknowledged_by, :by),
       resolved_at = case when :resolves then now() end, resolution = case when :resolves then 'acknowledged' end
     where id = :id and resolved_at is null returning 1`,
    { id, by, resolves },
  );
  return changed.length === 1;
}

/** Null unmutes. Returns false if the alert is resolved. */
export async function muteAlert(
  trx: Knex,
  { id, until }: { readonly id: number; readonly until: Date | null },
): Promise<boolean> {
  const changed = await queryRows(
    trx,
    'update alerts set muted_until = :until where id = :id and resolved_at is null returning 1',
    { id, until },
  );
  return changed.length === 1;
}

/** An alert without a workspace is for admins of the organization. */
const viewSql = `a.organization_id = :organizationId
  and (cast(:workspaceId as bigint) is null or a.workspace_id = cast(:workspaceId as bigint))
  and (cast(:visibleIds as bigint[]) is null or a.workspace_id = any (cast(:visibleIds as bigint[])))
  and (cast(:viewerId as bigint) is null or exists (
    select from workspace_members m where m.workspace_id = a.workspace_id and m.user_id = cast(:viewerId as bigint)))`;

export const alertSql = `
select a.id, a.public_id as "publicId", a.kind, a.severity, a.organization_id as "organizationId",
  o.public_id as "organizationPublicId", a.workspace_id as "workspaceId", w.public_id as "workspacePublicId",
  c.public_id as "channelPublicId", a.subject_type as "subjectType", a.subject_id as "subjectId",
  a.subject_label as "subjectLabel", a.reason, a.occurrences, a.opened_at as "openedAt", a.last_seen_at as "lastSeenAt",
  a.resolved_at as "resolvedAt", a.resolution, a.acknowledged_at as "acknowledgedAt",
  a.acknowledged_by as "acknowledgedBy", case when a.muted_until > now() then a.muted_until end as "mutedUntil"
from alerts a
join organizations o on o.id = a.organization_id
left join workspaces w on w.id = a.workspace_id
left join channels c on c.id = a.channel_id`;

/** The two parts have an index each, unlike their disjunction. */
export const alertsOfDigestSql = `(
  select * from alerts where opened_digest_id = :digestId union all select * from alerts where resolved_digest_id = :digestId)`;
