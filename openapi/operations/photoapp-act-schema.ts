import { z } from 'zod';
import { channelIdField, platformIdField, sentTextField } from './platform-fields.ts';
import { namedObject } from '../definitions/fields.ts';

const MAX_REPLY_LENGTH = 2200;

export const photoReplyInput = namedObject('PhotoappReplyInput', {
  text: sentTextField(MAX_REPLY_LENGTH),
  private: z
    .boolean()
    .default(false)
    .describe('Sends a private message to the author. Allowed once per comment, within 7 days.'),
});

export const replySent = namedObject('CommentReply', {
  channelId: channelIdField,
  commentId: platformIdField,
  private: z.boolean(),
  replyId: platformIdField.nullable().describe('Id of a public reply.'),
  messageId: platformIdField.nullable().describe('Id of a private reply.'),
});

export const commentActions = ['hide', 'unhide', 'delete'] as const;
export type CommentAction = (typeof commentActions)[number];

export const commentModerationInput = namedObject('CommentModerationInput', { action: z.enum(commentActions) });

export const commentModerated = namedObject('CommentModeration', {
  channelId: channelIdField,
  commentId: platformIdField,
  action: z.enum(commentActions),
  ok: z.boolean(),
});

const mediaActions = ['enable_comments', 'disable_comments'] as const;
export type PhotoMediaAction = (typeof mediaActions)[number];

export const photoMediaModerationInput = namedObject('PhotoappMediaModerationInput', { action: z.enum(mediaActions) });

export const photoMediaModerated = namedObject('PhotoappMediaModeration', {
  channelId: channelIdField,
  mediaId: platformIdField,
  action: z.enum(mediaActions),
  ok: z.boolean(),
});
