import { objectIdPattern } from './platform-ids.ts';
import { conversationList, conversationQuery } from './conversation-schema.ts';
import {
  photoAccountQuery,
  photoAccountSchema,
  photoInsightQuery,
  photoInsightSchema,
} from './photoapp-account-schema.ts';
import {
  commentModerated,
  commentModerationInput,
  photoMediaModerated,
  photoMediaModerationInput,
  photoReplyInput,
  replySent,
} from './photoapp-act-schema.ts';
import {
  photoCommentList,
  photoCommentQuery,
  photoMediaList,
  photoMediaQuery,
  photoMentionList,
  photoMentionQuery,
} from './photoapp-content-schema.ts';
import {
  byScope,
  channelParameter,
  type PlatformIdParameter,
  type RouteDefinition,
} from '../definitions/route-definition.ts';
import { platformObjectErrors, platformReadErrors, platformWriteErrors } from './platform-errors.ts';

const tag = 'Photoapp';
const path = '/channels/{ch}/photoapp';
const parameters = { ch: channelParameter };
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });
const idParameter = (description: string) =>
  ({ kind: 'platformId', pattern: objectIdPattern, description }) as const satisfies PlatformIdParameter;
const commentId = idParameter('The comment, as a list or an event named it.');

/** What a reading route of this product is like. */
const read = { tag, method: 'get', parameters, access: reading, errors: platformReadErrors } as const;
/** Of an object that the query may name. */
const readObject = { ...read, errors: platformObjectErrors } as const;
const write = { tag, method: 'post', access: managing, idempotent: true, errors: platformWriteErrors } as const;

export const photoappRoutes = {
  listPhotoappMedia: {
    ...readObject,
    operationId: 'listPhotoappMedia',
    summary: "Lists the account's posts or stories, or what others tag it in",
    path: `${path}/media`,
    query: photoMediaQuery,
    success: { status: 200, body: photoMediaList },
  },
  listPhotoappComments: {
    ...readObject,
    operationId: 'listPhotoappComments',
    summary: 'Lists the comments on a media, or the replies to a comment',
    path: `${path}/comments`,
    query: photoCommentQuery,
    success: { status: 200, body: photoCommentList },
  },
  getPhotoappInsights: {
    ...readObject,
    operationId: 'getPhotoappInsights',
    summary: 'Returns metrics of the account or of a media',
    path: `${path}/insights`,
    query: photoInsightQuery,
    success: { status: 200, body: photoInsightSchema },
  },
  listPhotoappConversations: {
    ...readObject,
    operationId: 'listPhotoappConversations',
    summary: "Lists the account's conversations, or one with its messages",
    path: `${path}/conversations`,
    access: byScope('messages.read', { within: 'channel' }),
    query: conversationQuery,
    success: { status: 200, body: conversationList },
  },
  listPhotoappMentions: {
    ...read,
    operationId: 'listPhotoappMentions',
    summary: 'Lists what tags the account, or returns what mentions it',
    path: `${path}/mentions`,
    query: photoMentionQuery,
    success: { status: 200, body: photoMentionList },
  },
  getPhotoappAccount: {
    ...read,
    operationId: 'getPhotoappAccount',
    summary: 'Returns the account, with its quota of posts where that is asked for',
    path: `${path}/account`,
    query: photoAccountQuery,
    success: { status: 200, body: photoAccountSchema },
  },
  replyToPhotoappComment: {
    ...write,
    operationId: 'replyToPhotoappComment',
    summary: 'Replies to a comment, in public or as a message to who wrote it',
    path: `${path}/comments/{commentId}/replies`,
    parameters: { ...parameters, commentId },
    body: photoReplyInput,
    success: { status: 200, body: replySent },
  },
  moderatePhotoappComment: {
    ...write,
    operationId: 'moderatePhotoappComment',
    summary: 'Hides, shows or deletes a comment',
    path: `${path}/comments/{commentId}/moderate`,
    parameters: { ...parameters, commentId },
    body: commentModerationInput,
    success: { status: 200, body: commentModerated },
  },
  moderatePhotoappMedia: {
    ...write,
    operationId: 'moderatePhotoappMedia',
    summary: 'Allows comments on a media, or no longer',
    path: `${path}/media/{mediaId}/moderate`,
    parameters: { ...parameters, mediaId: idParameter('The media, as a list or an event named it.') },
    body: photoMediaModerationInput,
    success: { status: 200, body: photoMediaModerated },
  },
} as const satisfies Record<string, RouteDefinition>;
