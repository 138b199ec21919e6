import { defineRoutes } from '../definitions/define-routes.ts';
import { conversationList, conversationQuery, objectIdParameter } from './platform-fields.ts';
import {
  commentModerated,
  commentModerationInput,
  photoAccountQuery,
  photoAccountSchema,
  photoCommentList,
  photoCommentQuery,
  photoInsightQuery,
  photoInsightSchema,
  photoMediaList,
  photoMediaModerated,
  photoMediaModerationInput,
  photoMediaQuery,
  photoMentionList,
  photoMentionQuery,
  photoReplyInput,
  replySent,
} from './photoapp-schema.ts';
import { byScope } from '../definitions/route-definition.ts';
import {
  messageErrors,
  platformObjectErrors,
  platformReadErrors,
  platformWriteErrors,
} from '../definitions/error-groups.ts';

const path = '/channels/{ch}/photoapp';
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });
const commentId = objectIdParameter('The comment, by its id in a list or an event.');

const read = { access: reading, errors: platformReadErrors } as const;
/** The query can name an object. */
const readObject = { ...read, errors: platformObjectErrors } as const;
const write = { access: managing, idempotent: true, errors: platformWriteErrors } as const;

export const photoappRoutes = defineRoutes('Photoapp', {
  listPhotoappMedia: {
    route: `GET ${path}/media`,
    ...readObject,
    summary: "Lists the account's media",
    description: 'Returns its posts or stories, or media that tag the account.',
    query: photoMediaQuery,
    answer: photoMediaList,
  },
  listPhotoappComments: {
    route: `GET ${path}/comments`,
    ...readObject,
    summary: 'Lists comments',
    description: 'Returns the comments on a media object or the replies to a comment.',
    query: photoCommentQuery,
    answer: photoCommentList,
  },
  getPhotoappInsights: {
    route: `GET ${path}/insights`,
    ...readObject,
    summary: 'Returns metrics of the account or of a media object',
    remarks: 'Metrics that the platform does not offer are listed in `unavailable`.',
    query: photoInsightQuery,
    answer: photoInsightSchema,
  },
  listPhotoappConversations: {
    route: `GET ${path}/conversations`,
    ...readObject,
    summary: "Lists the account's conversations",
    description: 'With `conversationId`, returns one conversation with its messages.',
    access: byScope('messages.read', { within: 'channel' }),
    query: conversationQuery,
    answer: conversationList,
  },
  listPhotoappMentions: {
    route: `GET ${path}/mentions`,
    ...read,
    summary: 'Lists mentions of the account',
    description: 'Returns media that tag the account. With `mediaId` or `commentId`, returns that mention.',
    query: photoMentionQuery,
    answer: photoMentionList,
  },
  getPhotoappAccount: {
    route: `GET ${path}/account`,
    ...read,
    summary: 'Returns the account',
    description: 'Includes its publishing quota on request.',
    query: photoAccountQuery,
    answer: photoAccountSchema,
  },
  replyToPhotoappComment: {
    route: `POST ${path}/comments/{commentId}/replies`,
    ...write,
    errors: messageErrors,
    summary: 'Replies to a comment, in public or in private',
    remarks: 'A private reply opens a conversation with the person.',
    platformIds: { commentId },
    body: photoReplyInput,
    answer: replySent,
  },
  moderatePhotoappComment: {
    route: `POST ${path}/comments/{commentId}/moderate`,
    ...write,
    summary: 'Hides, shows or deletes a comment',
    remarks: 'A deleted comment is gone for good.',
    platformIds: { commentId },
    body: commentModerationInput,
    answer: commentModerated,
  },
  moderatePhotoappMedia: {
    route: `POST ${path}/media/{mediaId}/moderate`,
    ...write,
    summary: 'Enables or disables comments on a media object',
    remarks: 'Existing comments stay.',
    platformIds: { mediaId: objectIdParameter('The media object, by its id in a list or an event.') },
    body: photoMediaModerationInput,
    answer: photoMediaModerated,
  },
});
