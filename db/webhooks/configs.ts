import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import type { DisabledReason, PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { deleteDestination } from '../ledger/destinations/destinations.ts';
import { type EndedDeliveries, endWaitingDeliveries } from '../ledger/end-waiting-deliveries.ts';
import { WebhookConfigModel } from '../models/webhook-config.ts';
import { insertCandidate, type WebhookRequester } from './candidates.ts';

export interface WebhookConfig {
  readonly webhookUrl: string | null;
  readonly verifyToken: string | null;
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
  readonly verifyTokenEncrypted: string | null;
}

export async function findWebhookConfig(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<WebhookConfig> {
  const found = await WebhookConfigModel.query(db)
    .joinRelated('destination')
    .select('destination.url as webhook_url', 'destination.disabled_reason')
    .select('webhook_configs.verify_token_encrypted', 'webhook_configs.verify_token_version')
    .select('webhook_configs.verified_at', 'webhook_configs.updated_at')
    .findOne({ 'webhook_configs.channel_id': channelId })
    .castTo<SealedConfig | undefined>();
  if (!found) return noWebhook;
  const { verifyTokenEncrypted: sealed, ...config } = found;
  return { ...config, verifyToken: sealed && secretBox.open(sealed, sealedContexts.verifyToken(channelPublicId)) };
}

const noWebhook: WebhookConfig = {
  webhookUrl: null,
  verifyToken: null,
  verifyTokenVersion: 0,
  verifiedAt: null,
  updatedAt: null,
  disabledReason: null,
};

export async function findWebhookDestination(db: Knex, channelId: number): Promise<number | undefined> {
  const config = await WebhookConfigModel.query(db).select('destination_id').findById(channelId);
  return config?.destinationId ?? undefined;
}

export interface StageRequest extends ChannelKey {
  readonly url: string;
  /** Optional. Defaults to the stored token, or to a generated one. */
  readonly verifyToken?: string | undefined;
  readonly deadlineMs: number;
  readonly pending?: PendingChoice;
  readonly requestedBy?: WebhookRequester;
}

/** Overtakes saves in progress. */
export async function stageCandidate(db: Knex, secretBox: SecretBox, request: StageRequest): Promise<number> {
  const { channelId, channelPublicId, verifyToken } = request;
  return await db.transaction(async (trx) => {
    const { revision, sealedToken } = await incrementRevision(trx, channelId);
    const fresh = (): string => randomBytes(GENERATED_TOKEN_BYTES).toString('base64url');
    const context = sealedContexts.verifyToken(channelPublicId);
    const seal = (token: string): string => secretBox.seal(token, context);
    const keepsToken =
      sealedToken !== null && (verifyToken === undefined || verifyToken === secretBox.open(sealedToken, context));
    return await insertCandidate(trx, {
      channelId,
      url: request.url,
      sealedToken: keepsToken ? sealedToken : seal(verifyToken ?? fresh()),
      keepsToken,
      revision,
      deadlineMs: request.deadlineMs,
      pending: request.pending ?? 'follow',
      requestedBy: request.requestedBy ?? null,
    });
  });
}

/** Cancels pending deliveries and overtakes a save in progress. */
export async function clearWebhook(
  db: Knex,
  { channelId, channelPublicId, audit }: ChannelKey & { readonly audit: AuditContext },
): Promise<EndedDeliveries> {
  return await ledgerTransaction(db, async (trx) => {
    const { destinationId } = await incrementRevision(trx, channelId);
    if (destinationId === null) return { retrying: [] };
    await WebhookConfigModel.query(trx)
      .findById(channelId)
      .patch({
        destinationId: null,
        defaultWebhookId: null,
        verifyTokenEncrypted: null,
        verifyTokenVersion: raw('verify_token_version + 1'),
        verifiedAt: null,
        updatedAt: raw('now()'),
      });
    const ended = await endWaitingDeliveries(trx, { channelId, destinationId, end: { status: 'cancelled' } });
    await deleteDestination(trx, destinationId);
    await recordAudit(trx, { ...audit, action: 'webhook.cleared', targetId: channelPublicId });
    return ended;
  });
}

interface Revision {
  readonly revision: number;
  readonly destinationId: number | null;
  readonly sealedToken: string | null;
}

/** The row lock serializes the saves and clears of a channel. */
async function incrementRevision(trx: Knex, channelId: number): Promise<Revision> {
  const config = await WebhookConfigModel.query(trx)
    .insert({ channelId, revision: 1 })
    .onConflict('channel_id')
    .merge({ revision: raw('webhook_configs.revision + 1') })
    .returning(['revision', 'destination_id', 'verify_token_encrypted']);
  const { revision, destinationId, verifyTokenEncrypted: sealedToken } = config;
  return { revision, destinationId, sealedToken };
}
