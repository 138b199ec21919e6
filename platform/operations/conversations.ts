import { z } from 'zod';
import type { ConversationList, ConversationQuery } from '../../openapi/operations/platform-fields.ts';
import type { AccountClient } from './account-client.ts';
import { author, count, id, instant, text } from './answer-fields.ts';
import { itemsOf, listAnswer, type ListQuery, nextCursorOf, pageQuery, readList } from './list.ts';
import { NotOwned } from './require-own.ts';
import { conversationPlatforms } from '../client/chatapp-word.ts';

const message = z
  .object({ id, from: author, message: text, created_time: instant })
  .transform(({ id: messageId, from, message: written, created_time: createdAt }) => {
    return { id: messageId, fromId: from.id, fromName: from.name ?? from.username, text: written, createdAt };
  });

const thread = z.object({
  id,
  updated_time: instant,
  unread_count: count,
  snippet: text,
  participants: z
    .object({ data: z.array(author) })
    .nullish()
    .catch(null),
});
type Conversation = ConversationList['conversations'][number];

export async function listConversations(
  client: AccountClient,
  { conversationId, participantId, ...page }: ConversationQuery,
): Promise<ConversationList> {
  if (conversationId !== undefined) return await readConversation(client, { conversationId, page });
  const { items, nextCursor } = await readList(client, {
    path: [client.resourceId, 'conversations'],
    query: {
      platform: conversationPlatforms[client.type === 'pageapp' ? 'pageapp' : 'photoapp'],
      fields: threadFields(client),
      ...(participantId !== undefined && { user_id: participantId }),
    },
    item: thread,
    page,
  });
  return { conversations: items.map((item) => shown(client, item)), nextCursor };
}

async function readConversation(
  client: AccountClient,
  { conversationId, page }: { readonly conversationId: string; readonly page: ListQuery },
): Promise<ConversationList> {
  const path = [conversationId];
  const found = await client.read(thread, { path, query: { fields: threadFields(client) } });
  // The credential may also open conversations of another account, such as a Page's photo account.
  if (!found.participants?.data.some(({ id: partyId }) => partyId === client.resourceId))
    throw new NotOwned('conversation');
  const query = { fields: 'id,from,message,created_time', ...pageQuery(page) };
  const answer = await client.read(listAnswer, { path: [...path, 'messages'], query });
  const messages = itemsOf(answer, message);
  return { conversations: [{ ...shown(client, found), messages }], nextCursor: nextCursorOf(answer) };
}

function threadFields({ type }: AccountClient): string {
  return type === 'pageapp' ? 'id,updated_time,participants,unread_count,snippet' : 'id,updated_time,participants';
}

function shown({ resourceId }: AccountClient, found: z.output<typeof thread>): Conversation {
  const person = found.participants?.data.find((each) => each.id !== null && each.id !== resourceId);
  return {
    id: found.id,
    participantId: person?.id ?? null,
    participantName: person?.name ?? person?.username ?? null,
    updatedAt: found.updated_time,
    unreadCount: found.unread_count,
    snippet: found.snippet,
    messages: null,
  };
}
