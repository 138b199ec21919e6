import type { FieldOptions, GraphNode } from './fields.ts';
import type { AccountObject, ContentStore, MessageObject, ThreadObject } from './store.ts';
import { platformTime } from '../../scripted-api/platform-time.ts';
import { invalidParameter } from '../../scripted-api/refusals.ts';

const platformNames = new Map<string, AccountObject['product']>([
  ['messenger', 'pageapp'],
  ['pageapp', 'pageapp'],
  ['instagram', 'photoapp'],
  ['photoapp', 'photoapp'],
]);

/** Newest first. `user_id` selects a person. */
export function conversations(store: ContentStore, account: AccountObject, options: FieldOptions): GraphNode[] {
  const platform = options.get('platform');
  const product = platform === undefined ? account.product : platformNames.get(platform.toLowerCase());
  if (product === undefined) throw invalidParameter('Param platform must be one of {INSTAGRAM, MESSENGER}.');
  if (account.product === 'photoapp' && product === 'pageapp') {
    throw invalidParameter('Param platform does not fit an account of this kind.');
  }
  const accountId = product === account.product ? account.id : account.linkedId;
  const person = options.get('user_id');
  return store
    .all('thread')
    .filter((thread) => thread.accountId === accountId && (person === undefined || thread.participant.id === person))
    .map((thread) => ({ thread, atMs: updatedAtMs(store, thread) }))
    .sort((a, b) => b.atMs - a.atMs)
    .map(({ thread }) => threadNode(store, thread));
}

export function threadNode(store: ContentStore, thread: ThreadObject): GraphNode {
  const { id, product, unreadCount } = thread;
  const messages = () => messagesOf(store, thread);
  const parties = { data: [partyOf(product, thread.participant), accountParty(store, thread)] };
  return {
    id,
    type: 'UnifiedThread',
    defaults: ['id', 'link', 'updated_time'],
    fields: {
      link: `/${thread.accountId}/inbox/${id}/`,
      get updated_time() {
        return platformTime(updatedAtMs(store, thread));
      },
      get snippet() {
        return messages()[0]?.text;
      },
      get message_count() {
        return messages().length;
      },
      unread_count: unreadCount,
      can_reply: true,
      is_subscribed: true,
      participants: parties,
      senders: parties,
    },
    edges: { messages: () => messages().map((message) => messageNode(store, message)) },
  };
}

export function messageNode(store: ContentStore, message: MessageObject): GraphNode {
  const { id, product, isFromAccount, text, createdAtMs } = message;
  const thread = store.get('thread', message.threadId);
  const person = partyOf(product, thread?.participant ?? { id: '0', name: '' });
  const account = accountParty(store, message);
  return {
    id,
    type: 'Message',
    defaults: ['created_time', 'id'],
    fields: {
      created_time: platformTime(createdAtMs),
      message: text,
      from: isFromAccount ? account : person,
      to: { data: [isFromAccount ? person : account] },
      tags: { data: [{ name: isFromAccount ? 'sent' : 'inbox' }] },
      attachments: undefined,
    },
  };
}

function messagesOf(store: ContentStore, { id }: ThreadObject): MessageObject[] {
  return store
    .all('message')
    .filter(({ threadId }) => threadId === id)
    .sort((a, b) => a.createdAtMs - b.createdAtMs)
    .reverse();
}

function updatedAtMs(store: ContentStore, thread: ThreadObject): number {
  return messagesOf(store, thread)[0]?.createdAtMs ?? 0;
}

function partyOf(product: ThreadObject['product'], { id, name }: { id: string; name: string }) {
  // The platform used to return email addresses here.
  return product === 'photoapp' ? { username: name, id } : { name, email: `${id}@people.example`, id };
}

function accountParty(store: ContentStore, { product, accountId }: ThreadObject | MessageObject) {
  const account = store.get('account', accountId);
  return partyOf(product, { id: accountId, name: (product === 'photoapp' ? account?.username : account?.name) ?? '' });
}
