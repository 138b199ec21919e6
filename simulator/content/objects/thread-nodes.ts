import { type FieldOptions, type GraphNode, platformTime } from './fields.ts';
import type { AccountObject, ContentStore, MessageObject, ThreadObject } from './store.ts';
import { invalidParameter } from '../../scripted-api/refusals.ts';

const platformNames = new Map<string, AccountObject['product']>([
  ['messenger', 'pageapp'],
  ['instagram', 'photoapp'],
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
    .toSorted((one, other) => updatedAtMs(store, other) - updatedAtMs(store, one))
    .map((thread) => threadNode(store, thread));
}

export function threadNode(store: ContentStore, thread: ThreadObject): GraphNode {
  const { id, product, unreadCount } = thread;
  const messages = messagesOf(store, thread);
  return {
    id,
    type: 'UnifiedThread',
    defaults: ['id', 'updated_time'],
    fields: {
      updated_time: platformTime(updatedAtMs(store, thread)),
      snippet: messages[0]?.text,
      unread_count: unreadCount,
      participants: { data: [partyOf(product, thread.participant), accountParty(store, thread)] },
    },
    edges: { messages: () => messages.map((message) => messageNode(store, message)) },
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
