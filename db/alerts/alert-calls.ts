import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { AlertCallOutcome, AlertCallType } from '../../contract/alerts/alert-call.ts';
import type { PresentedAlert } from '../../contract/alerts/present-alert.ts';
import { noticeWaitsMs } from '../../contract/deliveries/notice-schedule.ts';
import { randomId } from '../../contract/ids.ts';
import { queryRows } from '../core/query-rows.ts';
import { alertsOfDigestSql, alertSql } from './alerts.ts';

/**
 * A call is due at `next_attempt_at` until it has an outcome. Claiming it moves that instant, so that a call whose worker
 * was lost is due again.
 */

/** Whether a webhook, or a call with what its webhook selected then, selects an alert `a`. */
const isSelectedSql = (by: string): string =>
  `(${by}.min_severity = 'warning' or a.severity = 'critical') and (${by}.kinds is null or a.kind = any (${by}.kinds))`;

/** The end of an alert is for a webhook `h` that got its start, or still may, also if it selects others now. */
const isForSql = (type: string, digest: string): string => `case ${type}
  when 'alert.opened' then a.opened_digest_id = ${digest} and ${isSelectedSql('h')}
  else a.resolved_digest_id = ${digest} and exists (
    select from alert_calls before where before.digest_id = a.opened_digest_id and before.alert_webhook_id = h.id
      and before.type = 'alert.opened' and (before.outcome is null or before.outcome = 'delivered')
      and ${isSelectedSql('before')}) end`;

/** Returns the number of calls, at most one of each type. Must run in the transaction that opens the digest. */
export async function insertAlertCalls(
  trx: Knex,
  { organizationId, digestId }: { readonly organizationId: number; readonly digestId: number },
): Promise<number> {
  const [openedId, resolvedId] = [randomId('alertCall', randomBytes), randomId('alertCall', randomBytes)];
  const inserted = await queryRows(trx, insertSql, { organizationId, digestId, openedId, resolvedId });
  return inserted.length;
}

const insertSql = `
insert into alert_calls (public_id, alert_webhook_id, digest_id, type, min_severity, kinds)
select n.public_id, h.id, :digestId, n.type, h.min_severity, h.kinds
from alert_webhooks h
cross join (values (cast(:openedId as text), 'alert.opened'), (:resolvedId, 'alert.resolved')) n (public_id, type)
where h.organization_id = :organizationId and h.enabled
  and exists (select from ${alertsOfDigestSql} a where ${isForSql('n.type', ':digestId')})
returning id`;

/** Earlier ones are deleted, because the ids of test calls name nothing else. */
const MAX_TEST_CALLS = 20;

/** A test call is due for its own request only. */
export async function insertTestCall(
  trx: Knex,
  { organizationId }: { readonly organizationId: number },
): Promise<string | undefined> {
  await queryRows(
    trx,
    `delete from alert_calls where id in (
       select c.id from alert_webhooks h join alert_calls c on c.alert_webhook_id = h.id and c.type = 'alert.test'
       where h.organization_id = :organizationId order by c.id desc offset :kept)`,
    { organizationId, kept: MAX_TEST_CALLS - 1 },
  );
  const [call] = await queryRows<{ publicId: string }>(
    trx,
    `insert into alert_calls (public_id, alert_webhook_id, type)
     select :publicId, h.id, 'alert.test' from alert_webhooks h where h.organization_id = :organizationId
     returning public_id as "publicId"`,
    { organizationId, publicId: randomId('alertCall', randomBytes) },
  );
  return call?.publicId;
}

/** Longer than the workflow of one attempt. */
const CLAIM_SECONDS = 120;

export async function claimDueCalls(db: Knex, { limit }: { readonly limit: number }): Promise<string[]> {
  const rows = await queryRows<{ publicId: string }>(
    db,
    `update alert_calls set next_attempt_at = now() + :seconds * interval '1 second'
     where id in (select id from alert_calls where outcome is null and next_attempt_at <= now() and type <> 'alert.test'
       order by next_attempt_at limit :limit for update skip locked)
     returning public_id as "publicId"`,
    { limit, seconds: CLAIM_SECONDS },
  );
  return rows.map(({ publicId }) => publicId);
}

export interface AlertCall {
  readonly id: number;
  readonly publicId: string;
  readonly webhookId: number;
  readonly type: AlertCallType;
  /** Null for a test. */
  readonly digestId: number | null;
  readonly isEnded: boolean;
  readonly isEnabled: boolean;
  readonly attemptCount: number;
  readonly url: string;
  /** Newest first. */
  readonly sealedSecrets: readonly string[];
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly createdAt: Date;
}

export async function findAlertCall(db: Knex, publicId: string): Promise<AlertCall | undefined> {
  const [call] = await queryRows<AlertCall>(
    db,
    `select c.id, c.public_id as "publicId", h.id as "webhookId", c.type, c.digest_id as "digestId",
       c.outcome is not null as "isEnded", h.enabled as "isEnabled", c.attempt_count as "attemptCount", h.url,
       array(select s.secret_encrypted from alert_webhook_secrets s where s.alert_webhook_id = h.id
         and (s.expires_at is null or s.expires_at > now()) order by s.id desc) as "sealedSecrets",
       o.id as "organizationId", o.public_id as "organizationPublicId", c.created_at as "createdAt"
     from alert_calls c
     join alert_webhooks h on h.id = c.alert_webhook_id
     join organizations o on o.id = h.organization_id
     where c.public_id = :publicId`,
    { publicId },
  );
  return call;
}

export interface CalledAlert extends PresentedAlert {
  /** Of the call, including alerts that it does not list. */
  readonly count: number;
}

/** Returns the first alerts of a call, critical ones first. Empty if the webhook no longer selects any of them. */
export async function readCalledAlerts(
  db: Knex,
  { call, limit }: { readonly call: AlertCall & { readonly digestId: number }; readonly limit: number },
): Promise<CalledAlert[]> {
  const { digestId, webhookId, type } = call;
  return await queryRows<CalledAlert>(db, calledSql, { digestId, webhookId, ofType: type, limit });
}

const calledSql = `
with called as materialized (
  select a.id, a.severity, count(*) over ()::int as count
  from ${alertsOfDigestSql} a join alert_webhooks h on h.id = :webhookId
  where ${isForSql('cast(:ofType as text)', ':digestId')} order by a.severity, a.id limit :limit
)
select shown.*, called.count from called join (${alertSql} where a.id in (select id from called)) shown on shown.id = called.id
order by called.severity, called.id`;

export interface AttemptedCall {
  readonly id: number;
  readonly attemptCount: number;
  readonly type: AlertCallType;
  readonly isAccepted: boolean;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly error: string | null;
}

/** Conditional on the number of attempts, so that a repeated activity does not count twice. */
export async function settleAlertCall(
  db: Knex,
  { id, attemptCount, type, isAccepted, status, error }: AttemptedCall,
): Promise<AlertCallOutcome | 'retrying'> {
  const waitMs = type === 'alert.test' ? undefined : noticeWaitsMs[attemptCount];
  const outcome = isAccepted ? 'delivered' : waitMs === undefined ? 'failed' : null;
  await queryRows(
    db,
    `update alert_calls set attempt_count = attempt_count + 1, last_attempt_at = now(), last_status = :status,
       last_error = :error, outcome = :outcome,
       next_attempt_at = case when cast(:outcome as text) is null then now() + :waitMs * interval '1 millisecond' end
     where id = :id and outcome is null and attempt_count = :attemptCount`,
    { id, attemptCount, status, error, outcome, waitMs: waitMs ?? 0 },
  );
  return outcome ?? 'retrying';
}

export async function skipAlertCall(db: Knex, id: number): Promise<void> {
  await queryRows(
    db,
    `update alert_calls set outcome = 'skipped', next_attempt_at = null where id = :id and outcome is null`,
    { id },
  );
}
