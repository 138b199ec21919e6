import { z } from 'zod';
import type {
  PhotoCommentBody,
  PhotoCommentQuery,
  PhotoMediaBody,
  PhotoMediaQuery,
  PhotoMentionList,
  PhotoMentionQuery,
} from '../../openapi/operations/photoapp-schema.ts';
import type { AccountClient } from './account-client.ts';
import { author, count, flag, id, instant, link, optionalId, text } from './answer-fields.ts';
import { type ListPage, readList } from './list.ts';
import { requireOwnComment, requireOwnMedia } from './require-own.ts';

const kinds = { IMAGE: 'image', VIDEO: 'video', CAROUSEL_ALBUM: 'carousel' } as const;
const kind = z
  .enum(['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM'])
  .nullish()
  .catch(null)
  .transform((word) => (word ? kinds[word] : null));

const shownFields = { id, media_type: kind, media_url: link, thumbnail_url: link, permalink: link, timestamp: instant };
const child = z.object(shownFields);
const media = z.object({
  ...shownFields,
  media_product_type: text,
  caption: text,
  username: text,
  like_count: count,
  comments_count: count,
  children: z
    .object({ data: z.array(child) })
    .nullish()
    .catch(null),
});
const CHILD_FIELDS = 'id,media_type,media_url,permalink,timestamp';
const MEDIA_FIELDS =
  'id,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,caption,username,like_count,comments_count';
/** The platform shows only these fields of other accounts' media. */
const TAGGED_FIELDS = 'id,media_type,media_url,permalink,timestamp,caption,username,like_count,comments_count';
const edges = { posts: 'media', stories: 'stories', tagged: 'tags' } as const;

export async function listPhotoMedia(
  client: AccountClient,
  { source = 'posts', mediaId, ...page }: PhotoMediaQuery,
): Promise<ListPage<PhotoMediaBody>> {
  if (mediaId !== undefined) {
    await requireOwnMedia(client, mediaId);
    const query = { fields: `${MEDIA_FIELDS},children{${CHILD_FIELDS}}` };
    return { items: [shownMedia(await client.read(media, { path: [mediaId], query }))], nextCursor: null };
  }
  const query = { fields: source === 'tagged' ? TAGGED_FIELDS : MEDIA_FIELDS };
  const path = [client.resourceId, edges[source]];
  const { items, nextCursor } = await readList(client, { path, query, item: media, page });
  return { items: items.map(shownMedia), nextCursor };
}

function shownMedia(found: z.output<typeof media>): PhotoMediaBody {
  return {
    ...shownPart(found),
    productType: found.media_product_type?.toLowerCase() ?? null,
    caption: found.caption,
    username: found.username,
    likeCount: found.like_count,
    commentCount: found.comments_count,
    children: found.children?.data.map(shownPart) ?? null,
  };
}

function shownPart(found: z.output<typeof child>) {
  return {
    id: found.id,
    mediaType: found.media_type,
    mediaUrl: found.media_url,
    thumbnailUrl: found.thumbnail_url,
    permalink: found.permalink,
    createdAt: found.timestamp,
  };
}

const comment = z.object({
  id,
  text,
  username: text,
  from: author,
  timestamp: instant,
  hidden: flag,
  parent_id: optionalId,
  like_count: count,
});
/** By default, the platform returns only text and time. */
const COMMENT_FIELDS = 'id,text,username,from,timestamp,hidden,parent_id,like_count';

export async function listPhotoComments(
  client: AccountClient,
  { mediaId, commentId, ...page }: PhotoCommentQuery,
): Promise<ListPage<PhotoCommentBody>> {
  if (mediaId !== undefined) await requireOwnMedia(client, mediaId);
  else if (commentId !== undefined) await requireOwnComment(client, commentId);
  const path = mediaId === undefined ? [commentId ?? '', 'replies'] : [mediaId, 'comments'];
  const { items, nextCursor } = await readList(client, {
    path,
    query: { fields: COMMENT_FIELDS },
    item: comment,
    page,
  });
  return { items: items.map(shownComment), nextCursor };
}

function shownComment(found: z.output<typeof comment>): PhotoCommentBody {
  return {
    id: found.id,
    text: found.text,
    fromId: found.from.id,
    username: found.username ?? found.from.username,
    createdAt: found.timestamp,
    isHidden: found.hidden,
    parentId: found.parent_id,
    likeCount: found.like_count,
  };
}

const mention = z.object({
  mentioned_media: media.nullish(),
  mentioned_comment: comment.extend({ media: media.nullish().catch(null) }).nullish(),
});

/** The platform has no list of mentions. Returns the media that tag the account, or one mention known from an event. */
export async function listPhotoMentions(
  client: AccountClient,
  { mediaId, commentId, ...page }: PhotoMentionQuery,
): Promise<PhotoMentionList> {
  if (mediaId === undefined && commentId === undefined) {
    const { items, nextCursor } = await listPhotoMedia(client, { source: 'tagged', ...page });
    return { mentions: items.map((item) => ({ media: item, comment: null })), nextCursor };
  }
  const fields =
    mediaId === undefined
      ? `mentioned_comment.comment_id(${commentId}){id,text,timestamp,like_count,media{${TAGGED_FIELDS}}}`
      : `mentioned_media.media_id(${mediaId}){${TAGGED_FIELDS}}`;
  const found = await client.read(mention, { path: [client.resourceId], query: { fields } });
  const on = found.mentioned_media ?? found.mentioned_comment?.media;
  const said = found.mentioned_comment;
  const one = { media: on ? shownMedia(on) : null, comment: said ? shownComment(said) : null };
  return { mentions: one.media || one.comment ? [one] : [], nextCursor: null };
}
