import { z } from 'zod';
import type {
  CommentAction,
  PhotoAccountBody,
  PhotoInsightBody,
  PhotoInsightQuery,
  PhotoMediaAction,
} from '../../openapi/operations/photoapp-schema.ts';
import type { AccountClient } from './account-client.ts';
import { count, id, link, text, success } from './answer-fields.ts';
import { sendPrivateReply } from './messages.ts';
import { requireOwnComment, requireOwnMedia } from './require-own.ts';
import { readMetrics, timesOf } from './metrics.ts';

const account = z.object({
  id,
  username: text,
  name: text,
  biography: text,
  website: text,
  profile_picture_url: link,
  followers_count: count,
  follows_count: count,
  media_count: count,
});
const ACCOUNT_FIELDS =
  'id,username,name,biography,website,profile_picture_url,followers_count,follows_count,media_count';

export async function readPhotoAccount(
  client: AccountClient,
  { withQuota }: { readonly withQuota: boolean },
): Promise<PhotoAccountBody> {
  const found = await client.read(account, { path: [client.resourceId], query: { fields: ACCOUNT_FIELDS } });
  return {
    accountId: found.id,
    username: found.username,
    name: found.name,
    biography: found.biography,
    website: found.website,
    profilePictureUrl: found.profile_picture_url,
    followerCount: found.followers_count,
    followingCount: found.follows_count,
    mediaCount: found.media_count,
    quota: withQuota ? await readQuota(client) : null,
  };
}

const usage = z.object({
  quota_usage: z.int(),
  config: z.object({ quota_total: z.int(), quota_duration: count }),
});

async function readQuota(client: AccountClient): Promise<PhotoAccountBody['quota']> {
  const path = [client.resourceId, 'content_publishing_limit'];
  const { data } = await client.read(z.object({ data: z.array(z.unknown()) }), {
    path,
    query: { fields: 'config,quota_usage' },
  });
  const result = usage.safeParse(data[0]);
  if (!result.success) return null;
  const { quota_usage: used, config } = result.data;
  return { used, total: config.quota_total, durationSeconds: config.quota_duration };
}

export interface CommentReply {
  readonly replyId: string | null;
  readonly messageId: string | null;
}

export interface ReplyRequest {
  readonly commentId: string;
  readonly text: string;
  readonly isPrivate: boolean;
}

export async function replyToPhotoComment(client: AccountClient, reply: ReplyRequest): Promise<CommentReply> {
  const { commentId, text, isPrivate } = reply;
  await requireOwnComment(client, commentId);
  if (isPrivate) return { replyId: null, ...(await sendPrivateReply(client, { commentId, text })) };
  const form = { message: text };
  const { id: replyId } = await client.write(z.object({ id }), { path: [commentId, 'replies'], form });
  return { replyId, messageId: null };
}

export async function moderatePhotoComment(
  client: AccountClient,
  { commentId, action }: { readonly commentId: string; readonly action: CommentAction },
): Promise<void> {
  await requireOwnComment(client, commentId);
  const path = [commentId];
  if (action === 'delete') await client.write(success, { method: 'DELETE', path });
  else await client.write(success, { path, form: { hide: String(action === 'hide') } });
}

export async function moderatePhotoMedia(
  client: AccountClient,
  { mediaId, action }: { readonly mediaId: string; readonly action: PhotoMediaAction },
): Promise<void> {
  await requireOwnMedia(client, mediaId);
  const form = { comment_enabled: String(action === 'enable_comments') };
  await client.write(success, { path: [mediaId], form });
}

const accountMetrics = ['reach', 'views', 'accounts_engaged', 'total_interactions', 'profile_links_taps'];
const mediaMetrics = ['views', 'reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'];
/** Daily values only; the platform refuses their total. */
const seriesOnly: ReadonlySet<string> = new Set(['follower_count', 'online_followers']);
const lifetimeOnly = /_demographics$|^online_followers$/;

export async function readPhotoInsights(client: AccountClient, query: PhotoInsightQuery): Promise<PhotoInsightBody> {
  const { mediaId } = query;
  if (mediaId !== undefined) await requireOwnMedia(client, mediaId);
  const targetId = mediaId ?? client.resourceId;
  const reading = await readMetrics(client, {
    targetId,
    names: query.metrics ?? (mediaId === undefined ? accountMetrics : mediaMetrics),
    queryOf: (name) => (mediaId === undefined ? accountQuery(name, query) : breakdownOf(query)),
  });
  return { target: mediaId === undefined ? 'account' : 'media', targetId, ...reading };
}

function accountQuery(name: string, query: PhotoInsightQuery): Record<string, string> {
  const { metricType = seriesOnly.has(name) ? 'time_series' : 'total_value', timeframe } = query;
  return {
    period: query.period ?? (lifetimeOnly.test(name) ? 'lifetime' : 'day'),
    ...(metricType === 'total_value' && { metric_type: metricType }),
    ...breakdownOf(query),
    ...(timeframe !== undefined && { timeframe }),
    ...timesOf(query),
  };
}

function breakdownOf({ breakdown }: PhotoInsightQuery): Record<string, string> {
  return breakdown === undefined ? {} : { breakdown: breakdown.join(',') };
}
