import { defineRoutes } from '../definitions/define-routes.ts';
import { objectIdParameter } from './platform-ids.ts';
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
import { byScope } from '../definitions/route-definition.ts';
import { platformObjectErrors, platformReadErrors, platformWriteErrors } from '../definitions/error-groups.ts';

const path = '/channels/{ch}/photoapp';
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });
const commentId = objectIdParameter('The comment, as a list or an event named it.');

/** What a reading route of this product is like. */
const read = { access: reading, errors: platformReadErrors } as const;
/** Of an object that the query may name. */
const readObject = { ...read, errors: platformObjectErrors } as const;
const write = { access: managing, idempotent: true, errors: platformWriteErrors } as const;

export const photoappRoutes = defineRoutes('Photoapp', {
  listPhotoappMedia: {
    route: `GET ${path}/media`,
    ...readObject,
    summary: "Lists the account's posts or stories, or what others tag it in",
    query: photoMediaQuery,
    answer: photoMediaList,
  },
  listPhotoappComments: {
    route: `GET ${path}/comments`,
    ...readObject,
    summary: 'Lists the comments on a media, or the replies to a comment',
    query: photoCommentQuery,
    answer: photoCommentList,
  },
  getPhotoappInsights: {
    route: `GET ${path}/insights`,
    ...readObject,
    summary: 'Returns metrics of the account or of a media',
    query: photoInsightQuery,
    answer: photoInsightSchema,
  },
  listPhotoappConversations: {
    route: `GET ${path}/conversations`,
    ...readObject,
    summary: "Lists the account's conversations, or one with its messages",
    access: byScope('messages.read', { within: 'channel' }),
    query: conversationQuery,
    answer: conversationList,
  },
  listPhotoappMentions: {
    route: `GET ${path}/mentions`,
    ...read,
    summary: 'Lists what tags the account, or returns what mentions it',
    query: photoMentionQuery,
    answer: photoMentionList,
  },
  getPhotoappAccount: {
    route: `GET ${path}/account`,
    ...read,
    summary: 'Returns the account, with its quota of posts where that is asked for',
    query: photoAccountQuery,
    answer: photoAccountSchema,
  },
  replyToPhotoappComment: {
    route: `POST ${path}/comments/{commentId}/replies`,
    ...write,
    summary: 'Replies to a comment, in public or as a message to who wrote it',
    platformIds: { commentId },
    body: photoReplyInput,
    answer: replySent,
  },
  moderatePhotoappComment: {
    route: `POST ${path}/comments/{commentId}/moderate`,
    ...write,
    summary: 'Hides, shows or deletes a comment',
    platformIds: { commentId },
    body: commentModerationInput,
    answer: commentModerated,
  },
  moderatePhotoappMedia: {
    route: `POST ${path}/media/{mediaId}/moderate`,
    ...write,
    summary: 'Allows comments on a media, or no longer',
    platformIds: { mediaId: objectIdParameter('The media, as a list or an event named it.') },
    body: photoMediaModerationInput,
    answer: photoMediaModerated,
  },
});
