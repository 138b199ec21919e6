import { defineRoutes } from '../definitions/define-routes.ts';
import { conversationList, conversationQuery, objectIdParameter } from './platform-fields.ts';
import {
  pageCommentList,
  pageCommentQuery,
  pageInsightQuery,
  pageInsightSchema,
  pagePostDeleted,
  pagePostInput,
  pagePostList,
  pagePostQuery,
  pagePublished,
  pageReelInput,
  pageReplyInput,
  pageSchema,
} from './pageapp-schema.ts';
import { commentModerated, commentModerationInput, replySent } from './photoapp-schema.ts';
import { byScope } from '../definitions/route-definition.ts';
import {
  messageErrors,
  platformObjectErrors,
  platformReadErrors,
  platformWriteErrors,
  postErrors,
} from '../definitions/error-groups.ts';

const path = '/channels/{ch}/pageapp';
const commentId = objectIdParameter('The comment, by its id in a list or an event.');

const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });
const read = { access: reading, errors: platformReadErrors } as const;
/** The query can name an object. */
const readObject = { ...read, errors: platformObjectErrors } as const;
const write = { access: managing, idempotent: true, errors: platformWriteErrors } as const;

export const pageappRoutes = defineRoutes('Pageapp', {
  listPageappPosts: {
    route: `GET ${path}/posts`,
    ...read,
    summary: "Lists the Page's posts",
    remarks: 'As the platform returns them.',
    query: pagePostQuery,
    answer: pagePostList,
  },
  listPageappComments: {
    route: `GET ${path}/comments`,
    ...readObject,
    summary: 'Lists the comments on a post and their replies',
    remarks: 'Replies have the id of their comment in `parentId`.',
    query: pageCommentQuery,
    answer: pageCommentList,
  },
  listPageappConversations: {
    route: `GET ${path}/conversations`,
    ...readObject,
    summary: "Lists the Page's conversations",
    description: 'With `conversationId`, returns one conversation with its messages.',
    access: byScope('messages.read', { within: 'channel' }),
    query: conversationQuery,
    answer: conversationList,
  },
  getPageappInsights: {
    route: `GET ${path}/insights`,
    ...readObject,
    summary: 'Returns metrics of the Page or of a post',
    remarks: 'Metrics that the platform does not offer are listed in `unavailable`.',
    query: pageInsightQuery,
    answer: pageInsightSchema,
  },
  getPageappPage: {
    route: `GET ${path}/page`,
    ...read,
    summary: 'Returns the Page',
    remarks: 'As the platform returns it.',
    answer: pageSchema,
  },
  publishPageappPost: {
    route: `POST ${path}/posts`,
    ...write,
    errors: postErrors,
    summary: 'Publishes a text, link, photo or video',
    remarks: '`kind` says which of the other fields are required and allowed.',
    body: pagePostInput,
    answer: pagePublished,
  },
  publishPageappReel: {
    route: `POST ${path}/reels`,
    ...write,
    errors: postErrors,
    summary: 'Publishes a reel from a URL that the platform fetches',
    remarks: 'The platform processes the video after the response.',
    body: pageReelInput,
    answer: pagePublished,
  },
  deletePageappPost: {
    route: `DELETE ${path}/posts/{postId}`,
    ...write,
    summary: 'Deletes a post',
    remarks: 'A deleted post is gone for good.',
    platformIds: { postId: objectIdParameter('The post, by its id in a list or an event.') },
    answer: pagePostDeleted,
  },
  replyToPageappComment: {
    route: `POST ${path}/comments/{commentId}/replies`,
    ...write,
    errors: messageErrors,
    summary: 'Replies to a comment, in public or in private',
    remarks: 'A private reply opens a conversation with the person.',
    platformIds: { commentId },
    body: pageReplyInput,
    answer: replySent,
  },
  moderatePageappComment: {
    route: `POST ${path}/comments/{commentId}/moderate`,
    ...write,
    summary: 'Hides, shows or deletes a comment',
    remarks: 'A deleted comment is gone for good.',
    platformIds: { commentId },
    body: commentModerationInput,
    answer: commentModerated,
  },
});
