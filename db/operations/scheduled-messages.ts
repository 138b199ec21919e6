import type { Knex } from 'knex';
import { MAX_SCHEDULED_PER_CHANNEL, type ScheduledMessageStatus } from '../../contract/operations/scheduled-message.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { insertWithFreshId } from '../core/model.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelModel } from '../models/channel.ts';
import { ScheduledMessageModel } from '../models/scheduled-message.ts';
import { hashRecipient, recipientsOf } from './recipient.ts';

export type ScheduledMessageRecord = Pick<
  ScheduledMessageModel,
  | 'id'
  | 'publicId'
  | 'channelId'
  | 'workspaceId'
  | 'createdBy'
  | 'sendAt'
  | 'nextAttemptAt'
  | 'nextStartAt'
  | 'status'
  | 'reason'
  | 'statusDetail'
  | 'refusalCode'
  | 'messageEncrypted'
  | 'recipientHash'
  | 'otherRecipientHash'
  | 'attempts'
  | 'platformMessageId'
  | 'requestHash'
  | 'sentAt'
  | 'endedAt'
  | 'createdAt'
> & { readonly channelPublicId: string; readonly workspacePublicId: string };

export interface ScheduledMessagePlace {
  readonly channelId: number;
  readonly workspaceId: number;
}

function selectMessages(db: Knex) {
  return ScheduledMessageModel.query(db)
    .joinRelated('[channel, workspace]')
    .select('scheduled_messages.*')
    .select('channel.public_id as channel_public_id', 'workspace.public_id as workspace_public_id');
}

export function openScheduledMessage(
  secretBox: SecretBox,
  { publicId, messageEncrypted }: Pick<ScheduledMessageRecord, 'publicId' | 'messageEncrypted'>,
): object | null {
  if (messageEncrypted === null) return null;
  return JSON.parse(secretBox.open(messageEncrypted, sealedContexts.scheduledMessage(publicId))) as object;
}

/** The columns that depend on the content. */
export interface SealedMessage {
  readonly messageEncrypted: string;
  readonly recipientHash: Buffer | null;
  /** Of the second id of the same recipient. */
  readonly otherRecipientHash: Buffer | null;
}

export function sealScheduledMessage(
  secretBox: SecretBox,
  { publicId, message }: { readonly publicId: string; readonly message: object },
): SealedMessage {
  const [recipientHash = null, otherRecipientHash = null] = recipientsOf(message).map(hashRecipient);
  return {
    messageEncrypted: secretBox.seal(JSON.stringify(message), sealedContexts.scheduledMessage(publicId)),
    recipientHash,
    otherRecipientHash,
  };
}

export async function loadScheduledMessage(db: Knex, publicId: string): Promise<ScheduledMessageRecord | undefined> {
  return await selectMessages(db)
    .findOne({ 'scheduled_messages.public_id': publicId })
    .castTo<ScheduledMessageRecord | undefined>();
}

export async function findScheduledMessage(
  db: Knex,
  { publicId, channelId, workspaceId }: ScheduledMessagePlace & { readonly publicId: string },
): Promise<ScheduledMessageRecord | undefined> {
  return await selectMessages(db)
    .findOne({
      'scheduled_messages.public_id': publicId,
      'scheduled_messages.channel_id': channelId,
      'scheduled_messages.workspace_id': workspaceId,
    })
    .castTo<ScheduledMessageRecord | undefined>();
}

export interface ScheduledMessagePage extends ScheduledMessagePlace {
  readonly status?: ScheduledMessageStatus | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Returns undefined if `after` is no message of the list. */
export async function listScheduledMessages(
  db: Knex,
  { channelId, workspaceId, status, after, limit }: ScheduledMessagePage,
): Promise<ScheduledMessageRecord[] | undefined> {
  const query = selectMessages(db)
    .where({ 'scheduled_messages.channel_id': channelId, 'scheduled_messages.workspace_id': workspaceId })
    .orderBy('scheduled_messages.id', 'desc')
    .limit(limit);
  if (status !== undefined) query.where({ 'scheduled_messages.status': status });
  if (after !== undefined) {
    const last = await findScheduledMessage(db, { publicId: after, channelId, workspaceId });
    if (!last) return undefined;
    query.where('scheduled_messages.id', '<', last.id);
  }
  return await query.castTo<ScheduledMessageRecord[]>();
}

export interface NewScheduledMessage extends ScheduledMessagePlace {
  readonly createdBy: string;
  readonly sendAt: Date;
  readonly message: object;
  readonly requestHash: Buffer;
  readonly keyHash: Buffer | null;
  /** Optional. Default: `MAX_SCHEDULED_PER_CHANNEL`. */
  readonly max?: number;
  readonly audit: AuditContext;
}

export type ScheduleOutcome =
  | { readonly outcome: 'created' | 'repeated'; readonly publicId: string }
  | { readonly outcome: 'too_many' | 'key_reused' };

/** A repeated request with the same key returns the first message. */
export async function insertScheduledMessage(
  db: Knex,
  secretBox: SecretBox,
  scheduled: NewScheduledMessage,
): Promise<ScheduleOutcome> {
  const { channelId, keyHash, requestHash, max = MAX_SCHEDULED_PER_CHANNEL, audit } = scheduled;
  return await db.transaction(async (trx) => {
    // Serializes the count and requests with the same key.
    await ChannelModel.query(trx).select('id').findById(channelId).forNoKeyUpdate();
    const known = await findKeyedMessage(trx, { channelId, keyHash, requestHash });
    if (known) return known;
    const open = await ScheduledMessageModel.query(trx)
      .where({ channel_id: channelId })
      .whereNull('ended_at')
      .resultSize();
    if (open >= max) return { outcome: 'too_many' };
    const { publicId } = await insertWithFreshId(trx, ScheduledMessageModel, {
      kind: 'scheduledMessage',
      values: (id) => rowOf(secretBox, { publicId: id, scheduled }),
    });
    await recordAudit(trx, { ...audit, action: 'scheduledMessage.created', targetId: publicId });
    return { outcome: 'created', publicId };
  });
}

function rowOf(
  secretBox: SecretBox,
  { publicId, scheduled }: { readonly publicId: string; readonly scheduled: NewScheduledMessage },
) {
  const { channelId, workspaceId, createdBy, sendAt, requestHash, keyHash, message } = scheduled;
  return {
    ...{ channelId, workspaceId, createdBy, sendAt, requestHash },
    nextAttemptAt: sendAt,
    nextStartAt: sendAt,
    idempotencyKeyHash: keyHash,
    ...sealScheduledMessage(secretBox, { publicId, message }),
  };
}

/** Returns the outcome of a repeated request, or undefined for the first one with its key. */
export async function findKeyedMessage(
  db: Knex,
  { channelId, keyHash, requestHash }: Pick<NewScheduledMessage, 'channelId' | 'keyHash' | 'requestHash'>,
): Promise<ScheduleOutcome | undefined> {
  if (keyHash === null) return undefined;
  const known = await ScheduledMessageModel.query(db)
    .select('public_id', 'request_hash')
    .findOne({ channel_id: channelId, idempotency_key_hash: keyHash });
  if (!known) return undefined;
  const isSame = known.requestHash.equals(requestHash);
  return isSame ? { outcome: 'repeated', publicId: known.publicId } : { outcome: 'key_reused' };
}
