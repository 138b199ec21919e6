import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { PresentedAlert } from '../../contract/alerts/present-alert.ts';
import { randomId } from '../../contract/ids.ts';
import { queryRows } from '../core/query-rows.ts';
import { requestStarts } from '../core/request-start.ts';
import type { AlertCall } from '../notifications/notifications.ts';
import { alertsOfDigestSql, alertSql } from './alerts.ts';

/** Whether a webhook, or a call with what its webhook selected then, selects an alert `a`. */
const isSelectedSql = (by: string): string =>
  `(${by}.min_severity = 'warning' or a.severity = 'critical') and (${by}.kinds is null or a.kind = any (${by}.kinds))`;

/** The end of an alert is for a webhook `h` that got its start, or still may, also if it selects others now. */
const isForSql = (type: string, digest: string): string => `case ${type}
  when 'alert.opened' then a.opened_digest_id = ${digest} and ${isSelectedSql('h')}
  else a.resolved_digest_id = ${digest} and exists (
    select from notifications before where before.digest_id = a.opened_digest_id and before.alert_webhook_id = h.id
      and before.type = 'alert.opened' and (before.outcome is null or before.outcome = 'delivered')
      and ${isSelectedSql('before')}) end`;

/** Returns the number of calls, at most one of each type. Must run in the transaction that opens the digest. */
export async function insertAlertCalls(
  trx: Knex,
  { organizationId, digestId }: { readonly organizationId: number; readonly digestId: number },
): Promise<number> {
  const openedId = randomId('alertCall', randomBytes);
  const resolvedId = randomId('alertCall', randomBytes);
  const inserted = await queryRows<{ publicId: string }>(trx, insertSql, {
    organizationId,
    digestId,
    openedId,
    resolvedId,
  });
  const subjectIds = inserted.map(({ publicId }) => publicId);
  await requestStarts(trx, { type: 'sendNotification', subjectIds });
  return subjectIds.length;
}

const insertSql = `
insert into notifications (public_id, alert_webhook_id, digest_id, type, min_severity, kinds)
select n.public_id, h.id, :digestId, n.type, h.min_severity, h.kinds
from alert_webhooks h
cross join (values (cast(:openedId as text), 'alert.opened'), (:resolvedId, 'alert.resolved')) n (public_id, type)
where h.organization_id = :organizationId and h.enabled
  and exists (select from ${alertsOfDigestSql} a where ${isForSql('n.type', ':digestId')})
returning public_id as "publicId"`;

/** Earlier ones are deleted, because the ids of test calls name nothing else. */
const MAX_TEST_CALLS = 20;

/** A test call is due for its own request only. */
export async function insertTestCall(
  trx: Knex,
  { organizationId }: { readonly organizationId: number },
): Promise<string | undefined> {
  await queryRows(
    trx,
    `delete from notifications where id in (
       select c.id from alert_webhooks h join notifications c on c.alert_webhook_id = h.id and c.type = 'alert.test'
       where h.organization_id = :organizationId order by c.id desc offset :kept)`,
    { organizationId, kept: MAX_TEST_CALLS - 1 },
  );
  const [call] = await queryRows<{ publicId: string }>(
    trx,
    `insert into notifications (public_id, alert_webhook_id, type)
     select :publicId, h.id, 'alert.test' from alert_webhooks h where h.organization_id = :organizationId
     returning public_id as "publicId"`,
    { organizationId, publicId: randomId('alertCall', randomBytes) },
  );
  return call?.publicId;
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
