import type { Knex } from 'knex';
import { raw } from 'objection';
import type { AlertCallType, NotificationOutcome } from '../../contract/notifications/notification.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import type { Columns, RowOf } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { insertSecret, type RotatedSecret, rotateSecret, type SecretRotation } from '../core/signing-secrets.ts';
import { AlertWebhookModel } from '../models/alert-webhook.ts';
import { AlertWebhookSecretModel } from '../models/signing-secret.ts';
import { nextAttemptAtSql } from '../notifications/notifications.ts';
import { lockOrganization } from '../organizations/organizations.ts';

export interface AlertWebhook extends RowOf<AlertWebhookModel> {
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
  const previous = AlertWebhookSecretModel.query()
    .max('expires_at')
    .whereColumn('alert_webhook_id', 'alert_webhooks.id')
    .where('expires_at', '>', raw('now()'))
    .as('previous_secret_expires_at');
  return await AlertWebhookModel.query(db)
    .select('alert_webhooks.*', previous)
    .findOne({ organization_id: organizationId })
    .castTo<AlertWebhook | undefined>();
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

export interface OrganizationKey {
  readonly organizationId: number;
  readonly organizationPublicId: string;
}

type Audited = OrganizationKey & { readonly audit: AuditContext };

export type SavedAlertWebhook = Audited & Columns<AlertWebhookModel, 'url' | 'enabled' | 'minSeverity' | 'kinds'>;

/** Returns the secret if the call created the webhook, and otherwise null. */
export async function saveAlertWebhook(
  db: Knex,
  secretBox: SecretBox,
  { organizationId, organizationPublicId, audit, ...values }: SavedAlertWebhook,
): Promise<string | null> {
  return await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    await recordAudit(trx, { ...audit, action: 'alertWebhook.set', targetId: organizationPublicId });
    const updatedCount = await AlertWebhookModel.query(trx)
      .where({ organization_id: organizationId })
      .patch({ ...values, updatedAt: raw('now()') });
    if (updatedCount > 0) return null;
    const { id } = await AlertWebhookModel.query(trx).insert({ organizationId, ...values });
    return (await insertSecret(trx, secretsOf(secretBox, { id, organizationPublicId }))).secret;
  });
}

function secretsOf(secretBox: SecretBox, { id, organizationPublicId }: { id: number; organizationPublicId: string }) {
  const context = sealedContexts.alertWebhookSecret(organizationPublicId);
  return { model: AlertWebhookSecretModel, owner: { alert_webhook_id: id }, secretBox, context };
}

/** Ended secrets are kept for repeats of the rotation, which return them. */
const KEPT_ENDED_DAYS = 1;

/** As `rotateSecret`. Returns `not_set` without an alert webhook. */
export async function rotateAlertSecret(
  db: Knex,
  secretBox: SecretBox,
  { organizationId, organizationPublicId, audit, ...rotation }: Audited & SecretRotation,
): Promise<RotatedSecret | 'not_set' | undefined> {
  return await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    const webhook = await AlertWebhookModel.query(trx).select('id').findOne({ organization_id: organizationId });
    if (!webhook) return 'not_set';
    const rotated = await rotateSecret(trx, secretsOf(secretBox, { id: webhook.id, organizationPublicId }), rotation);
    if (!rotated || rotated.isRepeated) return rotated;
    await AlertWebhookSecretModel.query(trx)
      .delete()
      .where({ alert_webhook_id: webhook.id })
      .where('expires_at', '<', raw(`now() - ? * interval '1 day'`, [KEPT_ENDED_DAYS]));
    await recordAudit(trx, { ...audit, action: 'alertWebhookSecret.rotated', targetId: organizationPublicId });
    return rotated;
  });
}

/** Deletes its secrets and its calls, also those that are due. A repeat changes nothing. */
export async function deleteAlertWebhook(
  db: Knex,
  { organizationId, organizationPublicId, audit }: Audited,
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    const own = AlertWebhookModel.query().select('id').where({ organization_id: organizationId });
    await queryRows(
      trx,
      `delete from notifications
       where alert_webhook_id in (select id from alert_webhooks where organization_id = :organizationId)`,
      { organizationId },
    );
    await AlertWebhookSecretModel.query(trx).delete().whereIn('alert_webhook_id', own);
    const deletedCount = await AlertWebhookModel.query(trx).delete().where({ organization_id: organizationId });
    if (deletedCount === 0) return;
    await recordAudit(trx, { ...audit, action: 'alertWebhook.deleted', targetId: organizationPublicId });
  });
}
