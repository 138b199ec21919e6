import { objectIdPattern } from './platform-ids.ts';
import { conversationList, conversationQuery } from './conversation-schema.ts';
import { pagePostDeleted, pagePostInput, pagePublished, pageReelInput, pageReplyInput } from './pageapp-act-schema.ts';
import {
  pageCommentList,
  pageCommentQuery,
  pageInsightQuery,
  pageInsightSchema,
  pagePostList,
  pagePostQuery,
  pageSchema,
} from './pageapp-content-schema.ts';
import { commentModerated, commentModerationInput, replySent } from './photoapp-act-schema.ts';
import {
  byScope,
  channelParameter,
  type PlatformIdParameter,
  type RouteDefinition,
} from '../definitions/route-definition.ts';
import { platformObjectErrors, platformReadErrors, platformWriteErrors } from './platform-errors.ts';

const tag = 'Pageapp';
const path = '/channels/{ch}/pageapp';
const parameters = { ch: channelParameter };
const idParameter = (description: string) =>
  ({ kind: 'platformId', pattern: objectIdPattern, description }) as const satisfies PlatformIdParameter;
const commentId = idParameter('The comment, as a list or an event named it.');

/** What reading and writing routes of this product are like. */
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });
const read = { tag, method: 'get', parameters, access: reading, errors: platformReadErrors } as const;
/** Of an object that the query may name. */
const readObject = { ...read, errors: platformObjectErrors } as const;
const write = {
  tag,
  method: 'post',
  parameters,
  access: managing,
  idempotent: true,
  errors: platformWriteErrors,
} as const;

export const pageappRoutes = {
  listPageappPosts: {
    ...read,
    operationId: 'listPageappPosts',
    summary: "Lists the Page's posts",
    path: `${path}/posts`,
    query: pagePostQuery,
    success: { status: 200, body: pagePostList },
  },
  listPageappComments: {
    ...readObject,
    operationId: 'listPageappComments',
    summary: 'Lists the comments on a post, with the replies to them',
    path: `${path}/comments`,
    query: pageCommentQuery,
    success: { status: 200, body: pageCommentList },
  },
  listPageappConversations: {
    ...readObject,
    operationId: 'listPageappConversations',
    summary: "Lists the Page's conversations, or one with its messages",
    path: `${path}/conversations`,
    access: byScope('messages.read', { within: 'channel' }),
    query: conversationQuery,
    success: { status: 200, body: conversationList },
  },
  getPageappInsights: {
    ...readObject,
    operationId: 'getPageappInsights',
    summary: 'Returns metrics of the Page or of a post',
    path: `${path}/insights`,
    query: pageInsightQuery,
    success: { status: 200, body: pageInsightSchema },
  },
  getPageappPage: {
    ...read,
    operationId: 'getPageappPage',
    summary: 'Returns the Page',
    path: `${path}/page`,
    success: { status: 200, body: pageSchema },
  },
  publishPageappPost: {
    ...write,
    operationId: 'publishPageappPost',
    summary: 'Publishes a text, link, photo or video',
    path: `${path}/posts`,
    body: pagePostInput,
    success: { status: 200, body: pagePublished },
  },
  publishPageappReel: {
    ...write,
    operationId: 'publishPageappReel',
    summary: 'Publishes a reel, which the platform fetches from its URL',
    path: `${path}/reels`,
    body: pageReelInput,
    success: { status: 200, body: pagePublished },
  },
  deletePageappPost: {
    ...write,
    operationId: 'deletePageappPost',
    summary: 'Deletes a post',
    method: 'delete',
    path: `${path}/posts/{postId}`,
    parameters: { ...parameters, postId: idParameter('The post, as a list or an event named it.') },
    success: { status: 200, body: pagePostDeleted },
  },
  replyToPageappComment: {
    ...write,
    operationId: 'replyToPageappComment',
    summary: 'Replies to a comment, in public or as a message to who wrote it',
    path: `${path}/comments/{commentId}/replies`,
    parameters: { ...parameters, commentId },
    body: pageReplyInput,
    success: { status: 200, body: replySent },
  },
  moderatePageappComment: {
    ...write,
    operationId: 'moderatePageappComment',
    summary: 'Hides, shows or deletes a comment',
    path: `${path}/comments/{commentId}/moderate`,
    parameters: { ...parameters, commentId },
    body: commentModerationInput,
    success: { status: 200, body: commentModerated },
  },
} as const satisfies Record<string, RouteDefinition>;
