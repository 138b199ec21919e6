import { z } from 'zod';
import { isPlainMessage } from '../../contract/operations/plain-message.ts';
import { jsonRefusal } from '../definitions/json-bounds.ts';
import { messageIdPattern } from './platform-ids.ts';
import type { GivenInput } from '../definitions/route-definition.ts';
import { besideOthers } from '../definitions/beside-others.ts';
import { channelIdField, platformIdField, recipientField } from './platform-fields.ts';

/** A list message with all of its rows is some 10 KB. */
const MAX_LENGTH = 64 * 1024;
const MAX_TEXT_LENGTH = 4096;

/**
 * Either `to` and a plain `text`, or the message in the platform's own words; which words those are depends on the
 * channel's type, and the platform judges them.
 */
export const messageInput = z
  .looseObject({})
  .superRefine((message, context) => {
    const refusal = isPlainMessage(message) ? plainRefusal(message) : nativeRefusal(message);
    if (refusal !== undefined) context.addIssue(refusal);
  }, besideOthers)
  .meta({
    id: 'MessageInput',
    description:
      'Exactly one of two forms: `{to, text}`, where `to` is a phone number or the id that the account knows the person ' +
      "by; or a message in the platform's own words, passed on as it is (the product's name is put in where it is missing).",
    examples: [{ to: '15551230000', text: 'Hello' }],
  });

const plainMessage = z.strictObject({ to: recipientField, text: z.string().min(1).max(MAX_TEXT_LENGTH) });

function plainRefusal(message: object): string | undefined {
  const result = plainMessage.safeParse(message);
  if (result.success) return jsonRefusal(message, MAX_LENGTH);
  const [issue] = result.error.issues;
  return `to, text: ${issue?.code === 'unrecognized_keys' ? `${issue.keys.join(', ')} does not go with a plain text` : issue?.message}`;
}

/** Whom it is for is all that the messages of every product have in common. */
function nativeRefusal(message: object): string | undefined {
  if ('to' in message || 'recipient' in message) return jsonRefusal(message, MAX_LENGTH);
  return (
    "must be {to, text} or a message in the platform's own words, with its recipient: " +
    'to on chatapp channels, recipient on photoapp and pageapp channels'
  );
}

export const messageSent = z
  .strictObject({
    channelId: channelIdField,
    messageId: platformIdField.nullable().meta({ description: 'Null for what is no message, such as a reaction.' }),
    recipientId: platformIdField.nullable(),
    messageStatus: z.string().nullable().meta({ description: "The platform's first word on it, where it gives one." }),
  })
  .meta({ id: 'MessageSent' });

export const readInput = z
  .strictObject({
    to: recipientField.optional().meta({ description: 'Who wrote it, where known: saves a look at the message.' }),
  })
  .meta({ id: 'MessageReadInput' });

export const messageRead = z
  .strictObject({ channelId: channelIdField, messageId: platformIdField, read: z.boolean() })
  .meta({ id: 'MessageRead' });

export const typingInput = z
  .strictObject({
    to: recipientField.optional().meta({ description: 'Who sees it. Needed on photoapp and pageapp channels.' }),
    messageId: z.string().regex(messageIdPattern).optional().meta({
      description: 'The message that is being answered, which this marks as read. Needed on chatapp channels.',
    }),
  })
  .refine(({ to, messageId }) => (to === undefined) !== (messageId === undefined), {
    error: 'exactly one of to and messageId must be given',
    ...besideOthers,
  })
  .meta({ id: 'TypingInput' });

/** Which of the two a channel needs depends on its type. */
export function misfittingTyping({ body, channelType }: GivenInput): string[] {
  const needed = channelType === 'chatapp' ? 'messageId' : 'to';
  return body[needed] === undefined ? [`body.${needed}: is needed on a ${channelType} channel`] : [];
}

export const typingShown = z
  .strictObject({ channelId: channelIdField, typing: z.boolean() })
  .meta({ id: 'TypingShown' });
