import { z } from 'zod';
import { channelIdField, platformIdField, sentTextField } from './platform-fields.ts';

const MAX_REPLY_LENGTH = 2200;

export const photoReplyInput = z
  .strictObject({
    text: sentTextField(MAX_REPLY_LENGTH),
    private: z
      .boolean()
      .default(false)
      .meta({ description: 'Sends a private message to the author. Allowed once per comment, within 7 days.' }),
  })
  .meta({ id: 'PhotoappReplyInput' });

export const replySent = z
  .strictObject({
    channelId: channelIdField,
    commentId: platformIdField,
    private: z.boolean(),
    replyId: platformIdField.nullable().meta({ description: 'Id of a public reply.' }),
    messageId: platformIdField.nullable().meta({ description: 'Id of a private reply.' }),
  })
  .meta({ id: 'CommentReply' });

export const commentActions = ['hide', 'unhide', 'delete'] as const;
export type CommentAction = (typeof commentActions)[number];

export const commentModerationInput = z
  .strictObject({ action: z.enum(commentActions) })
  .meta({ id: 'CommentModerationInput' });

export const commentModerated = z
  .strictObject({
    channelId: channelIdField,
    commentId: platformIdField,
    action: z.enum(commentActions),
    ok: z.boolean(),
  })
  .meta({ id: 'CommentModeration' });

const mediaActions = ['enable_comments', 'disable_comments'] as const;
export type PhotoMediaAction = (typeof mediaActions)[number];

export const photoMediaModerationInput = z
  .strictObject({ action: z.enum(mediaActions) })
  .meta({ id: 'PhotoappMediaModerationInput' });

export const photoMediaModerated = z
  .strictObject({
    channelId: channelIdField,
    mediaId: platformIdField,
    action: z.enum(mediaActions),
    ok: z.boolean(),
  })
  .meta({ id: 'PhotoappMediaModeration' });
