import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { webhookSecretText } from '../../contract/deliveries/signature.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { lockOrganization } from '../organizations/organizations.ts';

/** The digest's length; Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** Ended secrets are kept for repeats of the rotation, which return them. */
const KEPT_ENDED_DAYS = 1;

interface NewAlertSecret {
  readonly webhookId: number;
  readonly organizationPublicId: string;
  readonly idempotencyKeyHash?: Buffer | null;
  readonly overlapSeconds?: number;
  readonly previousExpiresAt?: Date | null;
}

/** Returns the text, which is shown once. */
export async function insertAlertSecret(trx: Knex, secretBox: SecretBox, created: NewAlertSecret): Promise<string> {
  const { webhookId, organizationPublicId, idempotencyKeyHash, overlapSeconds, previousExpiresAt } = created;
  const secret = webhookSecretText(randomBytes(SECRET_BYTES).toString('base64'));
  await trx('alert_webhook_secrets').insert({
    alert_webhook_id: webhookId,
    secret_encrypted: secretBox.seal(secret, sealedContexts.alertWebhookSecret(organizationPublicId)),
    idempotency_key_hash: idempotencyKeyHash ?? null,
    overlap_seconds: overlapSeconds ?? null,
    previous_expires_at: previousExpiresAt ?? null,
  });
  return secret;
}

export interface OrganizationKey {
  readonly organizationId: number;
  readonly organizationPublicId: string;
}

export interface AlertSecretRotation extends OrganizationKey {
  readonly overlapSeconds: number;
  readonly idempotencyKeyHash: Buffer | null;
  readonly audit: AuditContext;
}

export interface RotatedAlertSecret {
  readonly secret: string;
  /** Null if the previous secret ended at once. */
  readonly previousExpiresAt: Date | null;
}

/**
 * An earlier overlap ends now. A repeated idempotency key returns the same secret, or `key_reused` if the overlap
 * differs.
 */
export async function rotateAlertSecret(
  db: Knex,
  secretBox: SecretBox,
  rotation: AlertSecretRotation,
): Promise<RotatedAlertSecret | 'not_set' | 'key_reused'> {
  const { organizationId, organizationPublicId, overlapSeconds, audit } = rotation;
  return await db.transaction(async (trx) => {
    await lockOrganization(trx, organizationId);
    const [webhook] = await queryRows<{ id: number }>(
      trx,
      'select id from alert_webhooks where organization_id = :organizationId',
      { organizationId },
    );
    if (!webhook) return 'not_set';
    const webhookId = webhook.id;
    const made = await findByKey(trx, webhookId, rotation.idempotencyKeyHash);
    if (made) {
      if (made.overlapSeconds !== overlapSeconds) return 'key_reused';
      const secret = secretBox.open(made.sealed, sealedContexts.alertWebhookSecret(organizationPublicId));
      return { secret, previousExpiresAt: made.previousExpiresAt };
    }
    const [ended] = await queryRows<{ expiresAt: Date }>(trx, endSql, { webhookId, overlapSeconds });
    const previousExpiresAt = overlapSeconds === 0 ? null : (ended?.expiresAt ?? null);
    await queryRows(trx, deleteEndedSql, { webhookId, days: KEPT_ENDED_DAYS });
    const secret = await insertAlertSecret(trx, secretBox, { ...rotation, webhookId, previousExpiresAt });
    await recordAudit(trx, { ...audit, action: 'alertWebhookSecret.rotated', targetId: organizationPublicId });
    return { secret, previousExpiresAt };
  });
}

interface MadeRotation {
  readonly sealed: string;
  readonly overlapSeconds: number;
  readonly previousExpiresAt: Date | null;
}

async function findByKey(
  trx: Knex,
  webhookId: number,
  idempotencyKeyHash: Buffer | null,
): Promise<MadeRotation | undefined> {
  if (idempotencyKeyHash === null) return undefined;
  const [made] = await queryRows<MadeRotation>(
    trx,
    `select secret_encrypted as sealed, overlap_seconds as "overlapSeconds", previous_expires_at as "previousExpiresAt"
     from alert_webhook_secrets where alert_webhook_id = :webhookId and idempotency_key_hash = :idempotencyKeyHash`,
    { webhookId, idempotencyKeyHash },
  );
  return made;
}

/** Ends the current secret after the overlap, and an earlier one now. */
const endSql = `
with earlier as (
  update alert_webhook_secrets set expires_at = now() where alert_webhook_id = :webhookId and expires_at > now()
)
update alert_webhook_secrets set expires_at = now() + :overlapSeconds * interval '1 second'
where alert_webhook_id = :webhookId and expires_at is null returning expires_at as "expiresAt"`;

const deleteEndedSql = `
delete from alert_webhook_secrets
where alert_webhook_id = :webhookId and expires_at < now() - :days * interval '1 day'`;
