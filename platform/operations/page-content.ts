import { z } from 'zod';
import type {
  PageBody,
  PageCommentBody,
  PageCommentQuery,
  PageInsightBody,
  PageInsightQuery,
  PagePostBody,
} from '../../openapi/operations/pageapp-content-schema.ts';
import type { AccountClient } from './account-client.ts';
import { author, count, flag, id, instant, link, optionalId, text } from './answer-fields.ts';
import { type ListPage, type ListQuery, readList } from './list.ts';
import { readMetrics, timesOf } from './metrics.ts';
import { requireOwnPost } from './require-own.ts';

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

export async function readPageInsights(client: AccountClient, query: PageInsightQuery): Promise<PageInsightBody> {
  const { postId, metrics, period = postId === undefined ? 'day' : undefined } = query;
  if (postId !== undefined) await requireOwnPost(client, postId);
  const targetId = postId ?? client.resourceId;
  const reading = await readMetrics(client, {
    targetId,
    names: metrics ?? (postId === undefined ? pageMetrics : postMetrics),
    queryOf: () => ({ ...(period !== undefined && { period }), ...timesOf(query) }),
  });
  return { target: postId === undefined ? 'page' : 'post', targetId, ...reading };
}
