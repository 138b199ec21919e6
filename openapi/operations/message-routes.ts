import { z } from 'zod';
import { isJsonObject } from '../../contract/is-json-object.ts';
import { evenIfFieldsFail, jsonRefusal, namedObject } from '../definitions/fields.ts';
import { issueText } from '../definitions/issue-text.ts';
import { channelIdField, MESSAGE_ID, messageIdPattern, platformIdField, recipientField } from './platform-fields.ts';
import { byScope, type UnvalidatedInput } from '../definitions/route-definition.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { messageErrors, platformReadErrors } from '../definitions/error-groups.ts';

/** A list message with all rows is about 10 KB. */
const MAX_LENGTH = 64 * 1024;
const MAX_TEXT_LENGTH = 4096;

/** The platform's own format is not validated here. */
export const messageInput = z
  .looseObject({})
  .superRefine((message, context) => {
    const problems = isPlainAttempt(message) ? plainProblems(message) : nativeProblems(message);
    for (const { path, text } of problems) context.addIssue({ code: 'custom', path, message: text });
  }, evenIfFieldsFail)
  .meta({
    id: 'MessageInput',
    description:
      'One of two forms. `{to, text}` sends a text; `to` is a phone number, a user id, or the id of the person for the ' +
      "account, as in the `sender` of an event. A message in the platform's format is forwarded unchanged, except that a " +
      'missing product name is added, and that a user id in `to` becomes the `recipient`: the platform would lose the message.',
    examples: [{ to: '15551230000', text: 'Hello' }],
  });

const plainMessage = z.strictObject({ to: recipientField, text: z.string().min(1).max(MAX_TEXT_LENGTH) });

/** A message in the platform's format has an object as `text`, or a field besides `to`. */
function isPlainAttempt(message: Readonly<Record<string, unknown>>): boolean {
  if ('text' in message) return !isJsonObject(message.text);
  return Object.keys(message).join() === 'to';
}

interface Problem {
  readonly path: PropertyKey[];
  readonly text: string;
}

function plainProblems(message: object): Problem[] {
  const result = plainMessage.safeParse(message, { error: issueText });
  if (result.success) return wholeProblems(jsonRefusal(message, MAX_LENGTH));
  return result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [key], text: 'cannot be combined with a plain text' }))
      : [{ path: issue.path, text: issue.message }],
  );
}

function nativeProblems(message: object): Problem[] {
  if ('sendAt' in message) {
    return [{ path: ['sendAt'], text: 'schedule the message with POST /channels/{ch}/scheduled-messages' }];
  }
  if ('to' in message || 'recipient' in message) return wholeProblems(jsonRefusal(message, MAX_LENGTH));
  return wholeProblems(
    "must be {to, text} or a message in the platform's format with a recipient: " +
      'to on chatapp channels, recipient on photoapp and pageapp channels',
  );
}

function wholeProblems(refusal: string | undefined): Problem[] {
  return refusal === undefined ? [] : [{ path: [], text: refusal }];
}

const messageSent = namedObject('MessageSent', {
  channelId: channelIdField,
  messageId: platformIdField.nullable().describe('Null for content without an id, such as a reaction.'),
  recipientId: platformIdField
    .nullable()
    .describe('The person, as the platform names it: the phone number if it tells one, otherwise the user id.'),
  userId: platformIdField
    .nullable()
    .describe('On chatapp channels, the id of the person for your business, if the platform tells it.'),
  messageStatus: z.string().nullable().describe("The platform's initial status, or null."),
});

const readInput = namedObject('MessageReadInput', {
  to: recipientField.optional().describe('The author of the message. It saves a lookup of the message.'),
});

const messageRead = namedObject('MessageRead', {
  channelId: channelIdField,
  messageId: platformIdField,
  read: z.boolean(),
});

const typingInput = z
  .strictObject({
    to: recipientField.optional().describe('The recipient. Required on photoapp and pageapp channels.'),
    messageId: z
      .string()
      .regex(messageIdPattern, MESSAGE_ID)
      .optional()
      .describe('The message that you answer, which is marked as read. Required on chatapp channels.'),
  })
  .refine(({ to, messageId }) => (to === undefined) !== (messageId === undefined), {
    error: 'requires exactly one of to and messageId',
    ...evenIfFieldsFail,
  })
  .meta({ id: 'TypingInput', minProperties: 1, maxProperties: 1 });

function misfittingTyping({ body, channelType }: UnvalidatedInput): string[] {
  const needed = channelType === 'chatapp' ? 'messageId' : 'to';
  return body[needed] === undefined ? [`body.${needed}: required on a ${channelType} channel`] : [];
}

const typingShown = namedObject('TypingShown', { channelId: channelIdField, typing: z.boolean() });

const sending = byScope('message.send', { within: 'channel' });

export const messageRoutes = defineRoutes('Messages', {
  sendMessage: {
    route: 'POST /channels/{ch}/messages',
    summary: 'Sends a message',
    remarks: 'Send `to` and `text`, or the content of the platform. The outcome follows as a status event.',
    access: sending,
    body: messageInput,
    idempotent: true,
    answer: messageSent,
    errors: messageErrors,
  },
  markMessageRead: {
    route: 'POST /channels/{ch}/messages/{messageId}/read',
    summary: 'Marks a received message as read',
    remarks: 'Use the id of the message in its event.',
    platformIds: {
      messageId: {
        kind: 'platformId',
        pattern: messageIdPattern,
        expected: MESSAGE_ID,
        description: 'The message, by the id in its event. Percent-encode it.',
      },
    },
    access: sending,
    body: readInput,
    answer: messageRead,
    errors: platformReadErrors,
  },
  showTyping: {
    route: 'POST /channels/{ch}/typing',
    summary: 'Shows a typing indicator for about 25 seconds or until a message is sent',
    remarks: 'A chatapp channel requires `messageId`, other channels `to`.',
    access: sending,
    body: typingInput,
    problems: misfittingTyping,
    answer: typingShown,
    errors: platformReadErrors,
  },
});
