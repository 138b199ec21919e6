import type { Knex } from 'knex';
import type { AlertCallType, NotificationOutcome } from '../../contract/notifications/notification.ts';
import type { AlertKind, AlertSeverity } from '../../contract/alerts/kinds.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { nextAttemptAtSql } from '../notifications/notifications.ts';
import { lockOrganization } from '../organizations/organizations.ts';
import { insertAlertSecret, type OrganizationKey } from './webhook-secrets.ts';

/** Where an organization gets its alerts by signed calls. Each organization has at most one. */
export interface AlertWebhook {
  readonly url: string;
  readonly enabled: boolean;
  readonly minSeverity: AlertSeverity;
  /** Null for all kinds. */
  readonly kinds: readonly AlertKind[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the secret before the current one ends. Null if none is valid any longer. */
  readonly previousSecretExpiresAt: Date | null;
}

export interface LastAlertCall {
  readonly publicId: string;
  readonly type: AlertCallType;
  readonly at: Date;
  readonly attemptCount: number;
  readonly outcome: NotificationOutcome | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly nextAttemptAt: Date | null;
}

export async function findAlertWebhook(db: Knex, organizationId: number): Promise<AlertWebhook | undefined> {
  const [found] = await queryRows<AlertWebhook>(
    db,
    `select h.url, h.enabled, h.min_severity as "minSeverity", h.kinds, h.created_at as "createdAt",
       h.updated_at as "updatedAt",
       (select max(s.expires_at) from alert_webhook_secrets s
        where s.alert_webhook_id = h.id and s.expires_at > now()) as "previousSecretExpiresAt"
     from alert_webhooks h where h.organization_id = :organizationId`,
    { organizationId },
  );
  return found;
}

/** Returns the call that was attempted last, or the one that is named. */
export async function findAttemptedCall(
  db: Knex,
  organizationId: number,
  publicId: string | null = null,
): Promise<LastAlertCall | undefined> {
  const [found] = await queryRows<LastAlertCall>(
    db,
    `select n.public_id as "publicId", n.type, n.last_attempt_at as at, n.attempt_count as "attemptCount", n.outcome,
       n.last_status as status, n.last_error as error, ${nextAttemptAtSql} as "nextAttemptAt"
     from alert_webhooks h join notifications n on n.alert_webhook_id = h.id and n.last_attempt_at is not null
     where h.organization_id = :organizationId
       and (cast(:publicId as text) is null or n.public_id = cast(:publicId as text))
     order by n.last_attempt_at desc limit 1`,
    { organizationId, publicId },
  );
  return found;
}

export interface SavedAlertWebhook extends OrganizationKey {
  readonly url: string;
  readonly enabled: boolean;
  readonly minSeverity: AlertSeverity;
  readonly kinds: readonly AlertKind[] | null;
  readonly audit: AuditContext;
}

/** Returns the secret if the call created the webhook, and otherwise null. */
export async function saveAlertWebhook(
  db: Knex,
  secretBox: SecretBox,
  { organizationId, organizationPublicId, audit, ...values }: SavedAlertWebhook,
): Promise<string | null> {
  return await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    const bindings = { organizationId, ...values, kinds: values.kinds === null ? null : [...values.kinds] };
    const updated = await queryRows(trx, updateSql, bindings);
    const [created] = updated.length > 0 ? [] : await queryRows<{ id: number }>(trx, insertSql, bindings);
    await recordAudit(trx, { ...audit, action: 'alertWebhook.set', targetId: organizationPublicId });
    return created ? await insertAlertSecret(trx, secretBox, { webhookId: created.id, organizationPublicId }) : null;
  });
}

const updateSql = `
update alert_webhooks set url = :url, enabled = :enabled, min_severity = :minSeverity, kinds = :kinds, updated_at = now()
where organization_id = :organizationId returning id`;

const insertSql = `
insert into alert_webhooks (organization_id, url, enabled, min_severity, kinds)
values (:organizationId, :url, :enabled, :minSeverity, :kinds) returning id`;

/** Deletes its secrets and its calls, also those that are due. A repeat changes nothing. */
export async function deleteAlertWebhook(
  db: Knex,
  { organizationId, organizationPublicId, audit }: OrganizationKey & { readonly audit: AuditContext },
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    const ofWebhook =
      'where alert_webhook_id in (select id from alert_webhooks where organization_id = :organizationId)';
    await queryRows(trx, `delete from notifications ${ofWebhook}`, { organizationId });
    await queryRows(trx, `delete from alert_webhook_secrets ${ofWebhook}`, { organizationId });
    const deleted = await queryRows(
      trx,
      'delete from alert_webhooks where organization_id = :organizationId returning id',
      { organizationId },
    );
    if (deleted.length === 0) return;
    await recordAudit(trx, { ...audit, action: 'alertWebhook.deleted', targetId: organizationPublicId });
  });
}
