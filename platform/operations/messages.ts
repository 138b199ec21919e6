import { z } from 'zod';
import { isPlainMessage, type PlainMessage } from '../../contract/operations/plain-message.ts';
import { chatappWordField, senderActions, upstreamChatappWord } from '../client/chatapp-word.ts';
import { PlatformRejected } from '../client/errors.ts';
import { refusalOf } from '../client/refusals.ts';
import type { AccountClient } from './account-client.ts';
import { id, optionalId, success, text } from './answer-fields.ts';
import { chatappRecipient, type NativeMessage, nativeMessage, namedFiles } from './native-message.ts';
import { NotOwned } from './require-own.ts';

export interface SentMessage {
  readonly messageId: string | null;
  readonly recipientId: string | null;
  /** Of a chatapp person, beside the phone number or instead of it. */
  readonly userId: string | null;
  readonly messageStatus: string | null;
}

const chatappAnswer = z.object({
  messages: z.tuple([z.object({ id, message_status: text })]).rest(z.unknown()),
  contacts: z
    .array(z.object({ wa_id: optionalId, user_id: optionalId }))
    .nullish()
    .catch(null),
});
const accountAnswer = z.object({ message_id: optionalId, recipient_id: optionalId });

/** Never retried. */
export async function sendMessage(client: AccountClient, message: object): Promise<SentMessage> {
  const json = wordsOf(client, message);
  if (client.type === 'chatapp') return await sendChatapp(client, json);
  return await sendToAccount(client, json);
}

/** Throws `MessageNotAllowed` for a message that `sendMessage` would refuse without asking the platform. */
export function refuseUnsendable(client: Pick<AccountClient, 'type'>, message: object): void {
  const json = wordsOf(client, message);
  if (client.type === 'chatapp') namedFiles(json);
}

function wordsOf(client: Pick<AccountClient, 'type'>, message: object): NativeMessage {
  return isPlainMessage(message) ? inPlatformWords(client, message) : nativeMessage(client.type, { ...message });
}

async function sendChatapp(client: AccountClient, json: NativeMessage): Promise<SentMessage> {
  for (const fileId of namedFiles(json)) await requireOwnFile(client, fileId);
  const { messages, contacts } = await client.write(chatappAnswer, { path: messagesPath(client), json });
  const [{ id: messageId, message_status: messageStatus }] = messages;
  const { wa_id: number = null, user_id: userId = null } = contacts?.[0] ?? {};
  return { messageId, recipientId: number ?? userId, userId, messageStatus };
}

async function sendToAccount(client: AccountClient, json: NativeMessage): Promise<SentMessage> {
  const isMessage = 'message' in json;
  // A response to a message must contain its id.
  const answer = isMessage ? accountAnswer.extend({ message_id: id }) : accountAnswer.extend({ recipient_id: id });
  const sent = await client.write(answer, { path: messagesPath(client), json });
  return { messageId: sent.message_id, recipientId: sent.recipient_id, userId: null, messageStatus: null };
}

function inPlatformWords(client: Pick<AccountClient, 'type'>, { to, text: body }: PlainMessage): NativeMessage {
  if (client.type === 'chatapp') {
    const product = { [chatappWordField]: upstreamChatappWord };
    return { ...product, recipient_type: 'individual', ...chatappRecipient(to), type: 'text', text: { body } };
  }
  return nativeMessage(client.type, { recipient: accountRecipient(client, to), message: { text: body } });
}

/** A visitor of a website has no id before the first message, only the reference that the website has given. */
function accountRecipient({ type }: Pick<AccountClient, 'type'>, to: string): NativeMessage {
  const person = to.trim();
  return type === 'pageapp' && !/^\d+$/.test(person) ? { user_ref: person } : { id: person };
}

const file = z.object({ id });

/** With the number's id, the platform returns only that number's files. */
async function requireOwnFile(client: AccountClient, fileId: string): Promise<void> {
  try {
    await client.read(file, { path: [fileId], query: { phone_number_id: client.resourceId } });
  } catch (error) {
    if (error instanceof PlatformRejected && refusalOf('read', error).code === 'VALIDATION_ERROR')
      throw new NotOwned('file');
    throw error;
  }
}

const messageAnswer = z.object({ from: z.object({ id }) });

/** For photo accounts and Pages, marks the whole conversation with the sender. */
export async function markRead(
  client: AccountClient,
  { messageId, to }: { readonly messageId: string; readonly to?: string | undefined },
): Promise<void> {
  if (client.type === 'chatapp') return await chatappStatus(client, { message_id: messageId });
  const person = to ?? (await client.read(messageAnswer, { path: [messageId], query: { fields: 'from' } })).from.id;
  await senderAction(client, { to: person, action: senderActions.read });
}

/** A chatapp number shows the indicator by marking the message as read. */
export async function showTyping(
  client: AccountClient,
  target: { readonly to: string } | { readonly messageId: string },
): Promise<void> {
  if ('to' in target) return await senderAction(client, { to: target.to, action: senderActions.typing });
  await chatappStatus(client, { message_id: target.messageId, typing_indicator: { type: 'text' } });
}

async function chatappStatus(client: AccountClient, about: NativeMessage): Promise<void> {
  const json = { [chatappWordField]: upstreamChatappWord, status: 'read', ...about };
  await client.mark(success, { path: messagesPath(client), json });
}

async function senderAction(
  client: AccountClient,
  { to, action }: { readonly to: string; readonly action: string },
): Promise<void> {
  const json = { recipient: accountRecipient(client, to), sender_action: action };
  await client.mark(z.object({ recipient_id: optionalId }), { path: messagesPath(client), json });
}

export async function sendPrivateReply(
  client: AccountClient,
  { commentId, text: body }: { readonly commentId: string; readonly text: string },
): Promise<{ readonly messageId: string }> {
  const json = {
    recipient: { comment_id: commentId },
    ...(client.type === 'pageapp' && { messaging_type: 'RESPONSE' }),
    message: { text: body },
  };
  const answer = accountAnswer.extend({ message_id: id });
  const sent = await client.write(answer, { path: messagesPath(client), json });
  return { messageId: sent.message_id };
}

const messagesPath = ({ resourceId }: AccountClient): string[] => [resourceId, 'messages'];
