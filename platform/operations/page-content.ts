import { z } from 'zod';
import type {
  PageBody,
  PageCommentBody,
  PageCommentQuery,
  PageInsightBody,
  PageInsightQuery,
  PagePostBody,
} from '../../openapi/operations/pageapp-schema.ts';
import { PlatformRejected } from '../client/errors.ts';
import { isNotShown } from '../client/refusals.ts';
import type { AccountClient } from './account-client.ts';
import { author, count, flag, id, instant, link, optionalId, text, success } from './answer-fields.ts';
import { type ListPage, type ListQuery, readList } from './list.ts';
import { readMetrics, timesOf } from './metrics.ts';
import { requireOwnPost, requireOwnComment } from './require-own.ts';
import type { CommentAction } from '../../openapi/operations/photoapp-schema.ts';
import { sendPrivateReply } from './messages.ts';
import type { CommentReply, ReplyRequest } from './photo-account.ts';

const post = z.object({ id, message: text, created_time: instant, permalink_url: link, status_type: text });
const POST_FIELDS = 'id,message,created_time,permalink_url,status_type';
const types: Readonly<Record<string, PagePostBody['type']>> = {
  mobile_status_update: 'text',
  wall_post: 'text',
  shared_story: 'link',
  added_photos: 'photo',
  added_video: 'video',
};

export async function listPagePosts(client: AccountClient, page: ListQuery): Promise<ListPage<PagePostBody>> {
  const path = [client.resourceId, 'posts'];
  const { items, nextCursor } = await readList(client, { path, query: { fields: POST_FIELDS }, item: post, page });
  return { items: items.map(shownPost), nextCursor };
}

function shownPost(found: z.output<typeof post>): PagePostBody {
  return {
    id: found.id,
    message: found.message,
    createdAt: found.created_time,
    permalink: found.permalink_url,
    type: types[found.status_type ?? ''] ?? null,
  };
}

const comment = z.object({
  id,
  from: author,
  message: text,
  created_time: instant,
  is_hidden: flag,
  parent: z.object({ id: optionalId }).nullish().catch(null),
});
const COMMENT_FIELDS = 'id,from,message,created_time,is_hidden,parent';

export async function listPageComments(
  client: AccountClient,
  { postId, ...page }: PageCommentQuery,
): Promise<ListPage<PageCommentBody>> {
  await requireOwnPost(client, postId);
  const { items, nextCursor } = await readList(client, {
    path: [postId, 'comments'],
    // Includes replies, which the platform omits by default.
    query: { fields: COMMENT_FIELDS, filter: 'stream' },
    item: comment,
    page,
  });
  return { items: items.map(shownComment), nextCursor };
}

function shownComment(found: z.output<typeof comment>): PageCommentBody {
  return {
    id: found.id,
    fromId: found.from.id,
    fromName: found.from.name,
    message: found.message,
    createdAt: found.created_time,
    isHidden: found.is_hidden,
    parentId: found.parent?.id ?? null,
  };
}

const pageAnswer = z.object({
  id,
  name: text,
  category: text,
  followers_count: count,
  link,
  picture: z
    .object({ data: z.object({ url: link }) })
    .nullish()
    .catch(null),
});

export async function readPage(client: AccountClient): Promise<PageBody> {
  const query = { fields: 'id,name,category,followers_count,link,picture{url}' };
  const found = await client.read(pageAnswer, { path: [client.resourceId], query });
  return {
    pageId: found.id,
    name: found.name,
    category: found.category,
    followers: found.followers_count,
    link: found.link,
    pictureUrl: found.picture?.data.url ?? null,
  };
}

const pageMetrics = ['page_post_engagements', 'page_follows', 'page_views_total', 'page_daily_follows_unique'];
const postMetrics = ['post_clicks', 'post_reactions_by_type_total', 'post_activity_by_action_type'];

const reelMetrics = [
  ...['blue_reels_play_count', 'fb_reels_total_plays', 'fb_reels_replay_count', 'post_video_avg_time_watched'],
  ...['post_video_view_time', 'post_video_likes_by_reaction_type', 'post_video_social_actions'],
];

export async function readPageInsights(client: AccountClient, query: PageInsightQuery): Promise<PageInsightBody> {
  const { postId, metrics, period = postId === undefined ? 'day' : undefined } = query;
  if (postId !== undefined) await requireOwnPost(client, postId);
  const target = await insightTarget(client, postId);
  const reading = await readMetrics(client, {
    ...target,
    names: metrics ?? target.names,
    queryOf: () => ({ ...(period !== undefined && { period }), ...timesOf(query) }),
  });
  return { target: target.kind, targetId: target.targetId, ...reading };
}

/** The metrics of a reel are those of its video, on an edge of their own. Its post has none. */
async function insightTarget(client: AccountClient, postId: string | undefined) {
  if (postId === undefined) return { kind: 'page', targetId: client.resourceId, names: pageMetrics } as const;
  const reelId = await findReel(client, postId);
  if (reelId === undefined) return { kind: 'post', targetId: postId, names: postMetrics } as const;
  return { kind: 'reel', targetId: reelId, edge: 'video_insights', names: reelMetrics } as const;
}

const linked = z.object({ permalink_url: text });
/** Of an address, or of a path, which videos have. */
const REEL_LINK = /\/reel\/(\d{1,40})(?:[/?#]|$)/;

/** Only the link of a post or video tells a reel from other videos. */
async function findReel(client: AccountClient, postId: string): Promise<string | undefined> {
  try {
    const { permalink_url: permalink } = await client.read(linked, {
      path: [postId],
      query: { fields: 'permalink_url' },
    });
    return REEL_LINK.exec(permalink ?? '')?.[1];
  } catch (error) {
    // A photo has no such field.
    if (error instanceof PlatformRejected && isNotShown(error)) return undefined;
    throw error;
  }
}

export async function replyToPageComment(client: AccountClient, reply: ReplyRequest): Promise<CommentReply> {
  const { commentId, text, isPrivate } = reply;
  await requireOwnComment(client, commentId);
  if (isPrivate) return { replyId: null, ...(await sendPrivateReply(client, { commentId, text })) };
  const form = { message: text };
  const { id: replyId } = await client.write(z.object({ id }), { path: [commentId, 'comments'], form });
  return { replyId, messageId: null };
}

export async function moderatePageComment(
  client: AccountClient,
  { commentId, action }: { readonly commentId: string; readonly action: CommentAction },
): Promise<void> {
  await requireOwnComment(client, commentId);
  if (action === 'delete') await client.write(success, { method: 'DELETE', path: [lastNumberOf(commentId)] });
  else await client.write(success, { path: [commentId], form: { is_hidden: String(action === 'hide') } });
}

/** The platform reads comments by both numbers of an id but deletes them by the last. */
function lastNumberOf(commentId: string): string {
  return commentId.slice(commentId.lastIndexOf('_') + 1);
}
