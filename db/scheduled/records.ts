import type { Knex } from 'knex';
import type { PartialModelObject } from 'objection';
import {
  MAX_SCHEDULED_PER_CHANNEL,
  type ScheduledKind,
  type ScheduledStatus,
} from '../../contract/scheduled/scheduled.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { insertWithFreshId, listAfter, type Model, type PageAfter } from '../core/model.ts';
import { requestStarts } from '../core/request-start.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelModel } from '../models/channel.ts';
import { ScheduledModel } from '../models/scheduled.ts';
import { hashRecipient, recipientsOf } from '../operations/recipient.ts';

export type ScheduledRecord = Omit<ScheduledModel, keyof Model | 'idempotencyKeyHash'> & {
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly organizationId: number;
};

export interface ScheduledPlace {
  readonly kind: ScheduledKind;
  readonly channelId: number;
  readonly workspaceId: number;
}

/** Of a message, the JSON in any of its forms. Of a post, the request for its container. */
export type ScheduledContent =
  { readonly kind: 'message'; readonly content: object } | { readonly kind: 'post'; readonly content: ContainerInput };

function selectScheduled(db: Knex) {
  return ScheduledModel.query(db)
    .joinRelated('[channel, workspace]')
    .select('scheduled.*', 'channel.public_id as channel_public_id', 'workspace.public_id as workspace_public_id')
    .select('workspace.organization_id');
}

export async function loadScheduled(db: Knex, publicId: string): Promise<ScheduledRecord | undefined> {
  return await selectScheduled(db).findOne({ 'scheduled.public_id': publicId }).castTo<ScheduledRecord | undefined>();
}

function placed({ kind, channelId, workspaceId }: ScheduledPlace) {
  return {
    'scheduled.kind': kind,
    'scheduled.channel_id': channelId,
    'scheduled.workspace_id': workspaceId,
  };
}

export async function findScheduled(
  db: Knex,
  { publicId, ...place }: ScheduledPlace & { readonly publicId: string },
): Promise<ScheduledRecord | undefined> {
  return await selectScheduled(db)
    .findOne({ 'scheduled.public_id': publicId, ...placed(place) })
    .castTo<ScheduledRecord | undefined>();
}

export interface ScheduledPage extends ScheduledPlace, PageAfter {
  readonly status?: ScheduledStatus | undefined;
}

export async function listScheduled(
  db: Knex,
  { status, after, limit, ...place }: ScheduledPage,
): Promise<ScheduledRecord[] | undefined> {
  const query = selectScheduled(db);
  if (status !== undefined) query.where({ 'scheduled.status': status });
  return await listAfter(query, { of: placed(place), after, limit });
}

/** Returns null once the message has ended. */
export function openMessage(
  secretBox: SecretBox,
  { publicId, messageEncrypted }: Pick<ScheduledRecord, 'publicId' | 'messageEncrypted'>,
): object | null {
  if (messageEncrypted === null) return null;
  return JSON.parse(secretBox.open(messageEncrypted, sealedContexts.scheduledMessage(publicId))) as object;
}

export type ContentColumns = Partial<
  Pick<ScheduledModel, 'input' | 'messageEncrypted' | 'recipientHash' | 'otherRecipientHash'>
>;

/** Returns the columns that depend on the content. That of messages is sealed. */
export function contentColumns(
  secretBox: SecretBox,
  { publicId, kind, content }: ScheduledContent & { readonly publicId: string },
): ContentColumns {
  if (kind === 'post') return { input: content };
  // The second hash is of another id of the same recipient.
  const [recipientHash = null, otherRecipientHash = null] = recipientsOf(content).map(hashRecipient);
  const messageEncrypted = secretBox.seal(JSON.stringify(content), sealedContexts.scheduledMessage(publicId));
  return { messageEncrypted, recipientHash, otherRecipientHash };
}

export type NewScheduled = Omit<ScheduledPlace, 'kind'> &
  ScheduledContent & {
    readonly createdBy: string;
    readonly dueAt: Date;
    readonly requestHash: Buffer;
    readonly keyHash: Buffer | null;
    /** Optional. Default: `MAX_SCHEDULED_PER_CHANNEL`. */
    readonly max?: number;
    readonly audit: AuditContext;
  };

export type ScheduleOutcome =
  | { readonly outcome: 'created' | 'repeated'; readonly publicId: string }
  | { readonly outcome: 'too_many' | 'key_reused' };

const idKinds = { message: 'scheduledMessage', post: 'scheduledPost' } as const;

/** A repeated request with the same key returns the first record. */
export async function insertScheduled(
  db: Knex,
  secretBox: SecretBox,
  scheduled: NewScheduled,
): Promise<ScheduleOutcome> {
  const { kind, channelId, max = MAX_SCHEDULED_PER_CHANNEL, audit } = scheduled;
  return await db.transaction(async (trx) => {
    // Serializes the count and requests with the same key.
    await ChannelModel.query(trx).select('id').findById(channelId).forNoKeyUpdate();
    const known = await findKeyed(trx, scheduled);
    if (known) return known;
    const open = await ScheduledModel.query(trx)
      .where({ channel_id: channelId, kind })
      .whereIn('status', ['scheduled', 'sending'])
      .resultSize();
    if (open >= max) return { outcome: 'too_many' };
    const { publicId } = await insertWithFreshId(trx, ScheduledModel, {
      kind: idKinds[kind],
      values: (id) => rowOf(secretBox, { publicId: id, scheduled }),
    });
    await recordAudit(trx, { ...audit, action: scheduledAction(kind, 'created'), targetId: publicId });
    await requestStarts(trx, { type: 'carryScheduled', subjectIds: [publicId] });
    return { outcome: 'created', publicId };
  });
}

export function scheduledAction(kind: ScheduledKind, what: 'created' | 'changed' | 'cancelled'): string {
  return `${idKinds[kind]}.${what}`;
}

function rowOf(
  secretBox: SecretBox,
  { publicId, scheduled }: { readonly publicId: string; readonly scheduled: NewScheduled },
): PartialModelObject<ScheduledModel> {
  const { kind, channelId, workspaceId, createdBy, dueAt, requestHash, keyHash } = scheduled;
  return {
    kind,
    channelId,
    workspaceId,
    createdBy,
    dueAt,
    actAt: dueAt,
    requestHash,
    idempotencyKeyHash: keyHash,
    ...contentColumns(secretBox, { publicId, ...scheduled }),
  };
}

/** Returns the outcome of a repeated request, or undefined for the first one with its key. */
export async function findKeyed(
  db: Knex,
  { kind, channelId, keyHash, requestHash }: Pick<NewScheduled, 'kind' | 'channelId' | 'keyHash' | 'requestHash'>,
): Promise<ScheduleOutcome | undefined> {
  if (keyHash === null) return undefined;
  const known = await ScheduledModel.query(db)
    .select('public_id', 'request_hash')
    .findOne({ channel_id: channelId, kind, idempotency_key_hash: keyHash });
  if (!known) return undefined;
  const isSame = known.requestHash.equals(requestHash);
  return isSame ? { outcome: 'repeated', publicId: known.publicId } : { outcome: 'key_reused' };
}
