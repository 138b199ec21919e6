import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import type { DisabledReason, PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { type AuditContext, recordAudit, type Requester } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { deleteDestination } from '../ledger/destinations/destinations.ts';
import { type EndedDeliveries, endVoidWorkflows } from '../ledger/end-void-deliveries.ts';
import { WebhookConfigModel } from '../models/webhook-config.ts';
import { insertCandidate } from './candidates.ts';

interface WebhookConfig {
  readonly webhookUrl: string | null;
  readonly verifyToken: string;
  readonly verifyTokenVersion: number;
  readonly verifiedAt: Date | null;
  readonly updatedAt: Date | null;
  readonly disabledReason: DisabledReason | null;
}

interface ChannelKey {
  readonly channelId: number;
  readonly channelPublicId: string;
}

const GENERATED_TOKEN_BYTES = 24;

interface SealedConfig extends Omit<WebhookConfig, 'verifyToken'> {
  readonly verifyTokenEncrypted: string;
}

export async function readWebhookConfig(db: Knex, secretBox: SecretBox, key: ChannelKey): Promise<WebhookConfig> {
  const { verifyTokenEncrypted: sealed, ...config } = await WebhookConfigModel.query(db)
    .leftJoinRelated('destination')
    .select('destination.url as webhook_url', 'destination.disabled_reason')
    .select('webhook_configs.verify_token_encrypted', 'webhook_configs.verify_token_version')
    .select('webhook_configs.verified_at', 'webhook_configs.updated_at')
    .findOne({ 'webhook_configs.channel_id': key.channelId })
    .throwIfNotFound()
    .castTo<SealedConfig>();
  const verifyToken = secretBox.open(sealed, sealedContexts.verifyToken(key.channelPublicId));
  if (config.webhookUrl !== null) return { ...config, verifyToken };
  return { ...config, verifyToken, verifiedAt: null, updatedAt: null };
}

/** A channel has a verify token before it has a webhook (docs/adr/0019). */
export async function insertWebhookConfig(
  trx: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<void> {
  const verifyTokenEncrypted = freshToken(secretBox, channelPublicId);
  await WebhookConfigModel.query(trx).insert({ channelId, verifyTokenEncrypted });
}

export interface VerifyTokenRotation extends ChannelKey {
  /** Only this version is replaced, so that a repeated rotation changes nothing. */
  readonly version: number;
  readonly audit: AuditContext;
}

/** Returns false if a webhook is set: its receiver answers with the token, so another one needs a save. */
export async function rotateUnusedVerifyToken(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId, version, audit }: VerifyTokenRotation,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const { destinationId } = await incrementRevision(trx, channelId);
    if (destinationId !== null) return false;
    const changedCount = await WebhookConfigModel.query(trx)
      .where({ channel_id: channelId, verify_token_version: version })
      .patch({
        verifyTokenEncrypted: freshToken(secretBox, channelPublicId),
        verifyTokenVersion: raw('verify_token_version + 1'),
      });
    if (changedCount === 1) {
      await recordAudit(trx, { ...audit, action: 'verifyToken.rotated', targetId: channelPublicId });
    }
    return true;
  });
}

function freshToken(secretBox: SecretBox, channelPublicId: string): string {
  const token = randomBytes(GENERATED_TOKEN_BYTES).toString('base64url');
  return secretBox.seal(token, sealedContexts.verifyToken(channelPublicId));
}

export async function findWebhookDestination(db: Knex, channelId: number): Promise<number | undefined> {
  const config = await WebhookConfigModel.query(db).select('destination_id').findById(channelId);
  return config?.destinationId ?? undefined;
}

export interface StageRequest extends ChannelKey {
  readonly url: string;
  /** Optional. Defaults to the channel's token. */
  readonly verifyToken?: string | undefined;
  readonly deadlineMs: number;
  readonly pending?: PendingChoice;
  readonly requestedBy?: Requester;
}

/** Overtakes saves in progress. */
export async function stageCandidate(db: Knex, secretBox: SecretBox, request: StageRequest): Promise<number> {
  const { channelId, channelPublicId, verifyToken } = request;
  return await db.transaction(async (trx) => {
    const { revision, sealedToken } = await incrementRevision(trx, channelId);
    const context = sealedContexts.verifyToken(channelPublicId);
    const keepsToken = verifyToken === undefined || verifyToken === secretBox.open(sealedToken, context);
    return await insertCandidate(trx, {
      channelId,
      url: request.url,
      sealedToken: keepsToken ? sealedToken : secretBox.seal(verifyToken, context),
      keepsToken,
      revision,
      deadlineMs: request.deadlineMs,
      pending: request.pending ?? 'follow',
      requestedBy: request.requestedBy ?? null,
    });
  });
}

/** Replaces the verify token, cancels pending deliveries and overtakes a save in progress. */
export async function clearWebhook(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId, audit }: ChannelKey & { readonly audit: AuditContext },
): Promise<EndedDeliveries> {
  const destinationId = await ledgerTransaction(db, async (trx) => {
    const config = await incrementRevision(trx, channelId);
    if (config.destinationId === null) return null;
    await WebhookConfigModel.query(trx)
      .findById(channelId)
      .patch({
        destinationId: null,
        defaultWebhookId: null,
        verifyTokenEncrypted: freshToken(secretBox, channelPublicId),
        verifyTokenVersion: raw('verify_token_version + 1'),
        verifiedAt: null,
        updatedAt: raw('now()'),
      });
    await deleteDestination(trx, config.destinationId, { reason: 'destination_deleted', actor: audit.actor });
    await recordAudit(trx, { ...audit, action: 'webhook.cleared', targetId: channelPublicId });
    return config.destinationId;
  });
  return destinationId === null ? { retrying: [] } : await endVoidWorkflows(db, { destinationId });
}

interface Revision {
  readonly revision: number;
  readonly destinationId: number | null;
  readonly sealedToken: string;
}

/** The row lock serializes the saves and clears of a channel. */
async function incrementRevision(trx: Knex, channelId: number): Promise<Revision> {
  const {
    revision,
    destinationId,
    verifyTokenEncrypted: sealedToken,
  } = await WebhookConfigModel.query(trx)
    .patch({ revision: raw('revision + 1') })
    .where({ channel_id: channelId })
    .returning(['revision', 'destination_id', 'verify_token_encrypted'])
    .first()
    .throwIfNotFound();
  return { revision, destinationId, sealedToken };
}
