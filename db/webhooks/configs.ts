import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { DisabledReason, PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { deleteDestination } from '../ledger/destinations/destinations.ts';
import { type EndedDeliveries, endWaitingDeliveries } from '../ledger/end-waiting-deliveries.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { insertCandidate, type WebhookRequester } from './candidates.ts';

export interface WebhookConfig {
  readonly webhookUrl: string | null;
  readonly verifyToken: string | null;
  /** Raised whenever another verify token takes its place. */
  readonly verifyTokenVersion: number;
  readonly verifiedAt: Date | null;
  readonly updatedAt: Date | null;
  /** Why it is disabled; null while it is not. */
  readonly disabledReason: DisabledReason | null;
}

interface ChannelKey {
  readonly channelId: number;
  readonly channelPublicId: string;
}

interface ConfigRow {
  url: string | null;
  verify_token_encrypted: string | null;
  verify_token_version: number;
  verified_at: Date | null;
  updated_at: Date;
  disabled_reason: DisabledReason | null;
}

/** Bytes of a verify token that we make up where the user has given none. */
const GENERATED_TOKEN_BYTES = 24;

/** The channel's webhook as it is set now; all null where none is. */
export async function findWebhookConfig(
  db: Knex,
  secretBox: SecretBox,
  { channelId, channelPublicId }: ChannelKey,
): Promise<WebhookConfig> {
  const { rows } = await db.raw<{ rows: ConfigRow[] }>(
    `select d.url, w.verify_token_encrypted, w.verify_token_version, w.verified_at, w.updated_at, d.disabled_reason
     from webhook_configs w join destinations d on d.id = w.destination_id where w.channel_id = ?`,
    [channelId],
  );
  const [row] = rows;
  if (!row) return noWebhook;
  const sealed = row.verify_token_encrypted;
  return {
    webhookUrl: row.url,
    verifyToken: sealed && secretBox.open(sealed, sealedContexts.verifyToken(channelPublicId)),
    verifyTokenVersion: row.verify_token_version,
    verifiedAt: row.verified_at,
    updatedAt: row.updated_at,
    disabledReason: row.disabled_reason,
  };
}

const noWebhook: WebhookConfig = {
  webhookUrl: null,
  verifyToken: null,
  verifyTokenVersion: 0,
  verifiedAt: null,
  updatedAt: null,
  disabledReason: null,
};

/** The destination that is the channel's webhook now. */
export async function findWebhookDestination(db: Knex, channelId: number): Promise<number | undefined> {
  const row = await db<{ channel_id: number; destination_id: number | null }>('webhook_configs')
    .where({ channel_id: channelId })
    .first('destination_id');
  return row?.destination_id ?? undefined;
}

export interface StageRequest extends ChannelKey {
  readonly url: string;
  /** Left out: the stored one, or a fresh one where none is stored. */
  readonly verifyToken?: string | undefined;
  /** How long the probes may take, by the database's clock. */
  readonly deadlineMs: number;
  /** What becomes of deliveries that wait: they follow unless told. */
  readonly pending?: PendingChoice;
  /** Left out where the service itself saves. */
  readonly requestedBy?: WebhookRequester;
}

/** Begins a save: raises the config's revision, which overtakes every save under way, and stages the candidate. */
export async function stageCandidate(db: Knex, secretBox: SecretBox, request: StageRequest): Promise<number> {
  const { channelId, channelPublicId, verifyToken } = request;
  return await db.transaction(async (trx) => {
    const { revision, sealedToken } = await raiseRevision(trx, channelId);
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

/** Clears the webhook and cancels what waits for it; a save under way is overtaken. Clearing a cleared one is fine. */
export async function clearWebhook(
  db: Knex,
  { channelId, channelPublicId, audit }: ChannelKey & { readonly audit: AuditContext },
): Promise<EndedDeliveries> {
  return await ledgerTransaction(db, async (trx) => {
    const { destinationId } = await raiseRevision(trx, channelId);
    if (destinationId === null) return { retrying: [] };
    await trx('webhook_configs')
      .where({ channel_id: channelId })
      .update({
        destination_id: null,
        verify_token_encrypted: null,
        verify_token_version: trx.raw('verify_token_version + 1'),
        verified_at: null,
        updated_at: trx.fn.now(),
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

/** Takes the lock on the config's row that saves and clears of one channel queue at. */
async function raiseRevision(trx: Knex, channelId: number): Promise<Revision> {
  const { rows } = await trx.raw<{
    rows: { revision: number; destination_id: number | null; verify_token_encrypted: string | null }[];
  }>(
    `insert into webhook_configs as w (channel_id, revision) values (?, 1)
     on conflict (channel_id) do update set revision = w.revision + 1
     returning revision, destination_id, verify_token_encrypted`,
    [channelId],
  );
  const [row] = rows;
  if (!row) throw new Error('An upsert returned no row');
  return { revision: row.revision, destinationId: row.destination_id, sealedToken: row.verify_token_encrypted };
}
