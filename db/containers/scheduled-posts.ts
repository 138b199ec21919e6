import type { Knex } from 'knex';
import {
  MAX_SCHEDULED_POSTS_PER_CHANNEL,
  type ScheduledPostReason,
  type ScheduledPostStatus,
} from '../../contract/containers/scheduled-post.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { queryRows } from '../core/query-rows.ts';
import { ChannelModel } from '../models/channel.ts';

export interface ScheduledPostRecord {
  readonly id: number;
  readonly publicId: string;
  readonly channelPublicId: string;
  readonly createdBy: string;
  readonly publishAt: Date;
  readonly status: ScheduledPostStatus;
  readonly reason: ScheduledPostReason | null;
  readonly statusDetail: string | null;
  /** Null once the post has ended. */
  readonly input: ContainerInput | null;
  readonly containerPublicId: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export interface ScheduledPostPlace {
  readonly channelId: number;
  readonly workspaceId: number;
}

const recordSql = `
select p.id, p.public_id as "publicId", c.public_id as "channelPublicId", p.created_by as "createdBy",
  p.publish_at as "publishAt", p.status, p.reason, p.status_detail as "statusDetail", p.input,
  p.container_public_id as "containerPublicId", p.created_at as "createdAt", p.ended_at as "endedAt"
from scheduled_posts p join channels c on c.id = p.channel_id
where p.channel_id = :channelId and p.workspace_id = :workspaceId`;

export async function findScheduledPost(
  db: Knex,
  { publicId, channelId, workspaceId }: ScheduledPostPlace & { readonly publicId: string },
): Promise<ScheduledPostRecord | undefined> {
  const bindings = { publicId, channelId, workspaceId };
  const [post] = await queryRows<ScheduledPostRecord>(db, `${recordSql} and p.public_id = :publicId`, bindings);
  return post;
}

export interface ScheduledPostPage extends ScheduledPostPlace {
  readonly status?: ScheduledPostStatus | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Returns undefined if `after` is no post of the list. */
export async function listScheduledPosts(
  db: Knex,
  { channelId, workspaceId, status, after, limit }: ScheduledPostPage,
): Promise<ScheduledPostRecord[] | undefined> {
  const last =
    after === undefined ? undefined : await findScheduledPost(db, { channelId, workspaceId, publicId: after });
  if (after !== undefined && !last) return undefined;
  return await queryRows<ScheduledPostRecord>(
    db,
    `${recordSql} and (cast(:status as text) is null or p.status = cast(:status as text))
       and (cast(:before as bigint) is null or p.id < cast(:before as bigint))
     order by p.id desc limit :limit`,
    { channelId, workspaceId, status: status ?? null, before: last?.id ?? null, limit },
  );
}

export interface NewScheduledPost extends ScheduledPostPlace {
  readonly createdBy: string;
  readonly publishAt: Date;
  readonly input: ContainerInput;
  readonly requestHash: Buffer;
  readonly keyHash: Buffer | null;
  /** Optional. Default: `MAX_SCHEDULED_POSTS_PER_CHANNEL`. */
  readonly max?: number;
  readonly audit: AuditContext;
}

export type SchedulePostOutcome =
  | { readonly outcome: 'created' | 'repeated'; readonly publicId: string }
  | { readonly outcome: 'too_many' | 'key_reused' };

/** A repeated request with the same key returns the first post. */
export async function insertScheduledPost(db: Knex, post: NewScheduledPost): Promise<SchedulePostOutcome> {
  const { channelId, keyHash, requestHash, max = MAX_SCHEDULED_POSTS_PER_CHANNEL, audit } = post;
  return await db.transaction(async (trx) => {
    // Serializes the count and requests with the same key.
    await ChannelModel.query(trx).select('id').findById(channelId).forNoKeyUpdate();
    const known = await findKeyedPost(trx, { channelId, keyHash, requestHash });
    if (known) return known;
    const [open] = await queryRows<{ count: number }>(
      trx,
      `select count(*)::int as count from scheduled_posts where channel_id = :channelId and status = 'scheduled'`,
      { channelId },
    );
    if (open!.count >= max) return { outcome: 'too_many' };
    const publicId = await insertRow(trx, post);
    await recordAudit(trx, { ...audit, action: 'scheduledPost.created', targetId: publicId });
    return { outcome: 'created', publicId };
  });
}

/** Returns the outcome of a repeated request, or undefined for the first one with its key. */
export async function findKeyedPost(
  db: Knex,
  { channelId, keyHash, requestHash }: Pick<NewScheduledPost, 'channelId' | 'keyHash' | 'requestHash'>,
): Promise<SchedulePostOutcome | undefined> {
  const [known] = await queryRows<{ publicId: string; requestHash: Buffer }>(
    db,
    `select public_id as "publicId", request_hash as "requestHash" from scheduled_posts
     where channel_id = :channelId and idempotency_key_hash = cast(:keyHash as bytea)`,
    { channelId, keyHash },
  );
  if (!known) return undefined;
  const isSame = known.requestHash.equals(requestHash);
  return isSame ? { outcome: 'repeated', publicId: known.publicId } : { outcome: 'key_reused' };
}

async function insertRow(trx: Knex, post: NewScheduledPost): Promise<string> {
  const { channelId, workspaceId, createdBy, publishAt, input, requestHash, keyHash } = post;
  return await withFreshId('scheduledPost', async (publicId) => {
    const [row] = await queryRows<{ public_id: string }>(
      trx,
      `insert into scheduled_posts (public_id, channel_id, workspace_id, created_by, publish_at, next_start_at, input,
         idempotency_key_hash, request_hash)
       values (:publicId, :channelId, :workspaceId, :createdBy, :publishAt, :publishAt, cast(:input as jsonb), :keyHash,
         :requestHash)
       on conflict (public_id) do nothing returning public_id`,
      {
        ...{ publicId, channelId, workspaceId, createdBy, publishAt, keyHash, requestHash },
        input: JSON.stringify(input),
      },
    );
    return row?.public_id;
  });
}

export interface ScheduledPostChange {
  readonly id: number;
  readonly publicId: string;
  readonly publishAt: Date | undefined;
  readonly input: ContainerInput | undefined;
  readonly audit: AuditContext;
}

/** Returns false once the post has started. */
export async function changeScheduledPost(db: Knex, change: ScheduledPostChange): Promise<boolean> {
  const { id, publicId, publishAt = null, input, audit } = change;
  return await db.transaction(async (trx) => {
    const changed = await queryRows(
      trx,
      `update scheduled_posts set publish_at = coalesce(cast(:publishAt as timestamptz), publish_at),
         next_start_at = coalesce(cast(:publishAt as timestamptz), next_start_at),
         input = coalesce(cast(:input as jsonb), input)
       where id = :id and status = 'scheduled' returning id`,
      { id, publishAt, input: input === undefined ? null : JSON.stringify(input) },
    );
    if (changed.length === 1) await recordAudit(trx, { ...audit, action: 'scheduledPost.changed', targetId: publicId });
    return changed.length === 1;
  });
}

/** Returns false once the post has started. */
export async function cancelScheduledPost(
  db: Knex,
  { id, publicId, audit }: Pick<ScheduledPostChange, 'id' | 'publicId' | 'audit'>,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const cancelled = await queryRows(
      trx,
      `update scheduled_posts set status = 'cancelled', ended_at = clock_timestamp(), input = null
       where id = :id and status = 'scheduled' returning id`,
      { id },
    );
    if (cancelled.length === 1)
      await recordAudit(trx, { ...audit, action: 'scheduledPost.cancelled', targetId: publicId });
    return cancelled.length === 1;
  });
}
