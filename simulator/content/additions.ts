import {
  newContentNumber,
  type AccountObject,
  type CommentObject,
  type ContentStore,
  type MessageObject,
  type PostObject,
  type ThreadObject,
} from './objects/store.ts';
import type { SentMessage } from '../messaging/message-log.ts';
import { objectAt, textAt } from '../scripted-api/parameters.ts';
import { newMessageId } from '../webhooks/platform-ids.ts';

type NewAccount = Pick<AccountObject, 'id' | 'product' | 'name'> &
  Partial<Pick<AccountObject, 'username' | 'linkedId'>>;
type NewPost = Pick<PostObject, 'id' | 'accountId' | 'text' | 'createdAtMs'> & Partial<PostObject>;
type NewComment = Pick<CommentObject, 'id' | 'postId' | 'from' | 'text' | 'createdAtMs'> & Partial<CommentObject>;
interface NewThread extends Pick<ThreadObject, 'id' | 'accountId' | 'participant' | 'unreadCount'> {
  readonly messages: readonly (Pick<MessageObject, 'text' | 'createdAtMs'> & { readonly isFromAccount?: boolean })[];
}

export interface ContentAdditions {
  readonly accounts: readonly NewAccount[];
  readonly posts: readonly NewPost[];
  readonly comments: readonly NewComment[];
  readonly threads: readonly NewThread[];
}

export function addContent(store: ContentStore, { accounts, posts, comments, threads }: ContentAdditions): void {
  for (const account of accounts) addAccount(store, account);
  for (const post of posts) addPost(store, post);
  for (const comment of comments) addComment(store, comment);
  for (const thread of threads) addThread(store, thread);
}

export function addAccount(store: ContentStore, account: NewAccount): void {
  const facts = { accountId: account.id, category: 'Local business', followerCount: 1_200 };
  store.put<AccountObject>({ kind: 'account', username: null, linkedId: null, ...facts, ...account });
}

function addPost(store: ContentStore, post: NewPost): void {
  const { id, accountId } = post;
  const { product } = store.get('account', accountId)!;
  const type = post.type ?? (product === 'photoapp' ? 'IMAGE' : 'TEXT');
  store.put<PostObject>({
    ...{ kind: 'post', product, link: null, isCommentEnabled: true, viewerCount: 40, objectId: null, taggedIds: [] },
    mediaUrl: product === 'photoapp' ? `https://cdn.photoapp.example/${id}.jpg` : null,
    permalink: permalinkOf(product, id),
    children: type === 'CAROUSEL' ? [1, 2].map((place) => `${id}${place}`) : [],
    ...post,
    type,
  });
}

function addComment(store: ContentStore, comment: NewComment): void {
  const { accountId, product } = store.get('post', comment.postId)!;
  store.put<CommentObject>({ kind: 'comment', product, accountId, parentId: null, isHidden: false, ...comment });
}

function addThread(store: ContentStore, { messages, ...thread }: NewThread): void {
  const { accountId } = thread;
  const { product } = store.get('account', accountId)!;
  store.put<ThreadObject>({ kind: 'thread', product, ...thread });
  for (const message of messages) {
    const facts = { id: newMessageId(product), threadId: thread.id, isFromAccount: false, ...message };
    store.put<MessageObject>({ kind: 'message', product, accountId, ...facts });
  }
}

/** Creates the conversation and an unknown account, because the platform knows every account that can send. */
export function recordSentMessage(
  store: ContentStore,
  { message, recipientId }: { readonly message: SentMessage; readonly recipientId: string },
): void {
  const { id, product, account: accountId, body, atMs } = message;
  if (product === 'chatapp') return;
  if (!store.get('account', accountId)) addAccount(store, { id: accountId, product, name: `Account ${accountId}` });
  const participant = { id: recipientId, name: `Person ${recipientId.slice(-4)}` };
  const known = store
    .all('thread')
    .find((each) => each.accountId === accountId && each.participant.id === participant.id);
  const ownId = product === 'photoapp' ? photoThreadId(accountId, participant.id) : `t_${newContentNumber()}`;
  const thread = store.put<ThreadObject>(
    known ?? { kind: 'thread', product, accountId, participant, id: ownId, unreadCount: 0 },
  );
  const text = textAt(objectAt(body, 'message') ?? {}, 'text') ?? '';
  const sent = { id, threadId: thread.id, text, isFromAccount: true, createdAtMs: atMs };
  store.put<MessageObject>({ kind: 'message', product, accountId, ...sent });
}

export function photoThreadId(accountId: string, participantId: string): string {
  return `aWdfZAG06${Buffer.from(`thread:${accountId}:${participantId}`).toString('base64url')}`;
}

function permalinkOf(product: AccountObject['product'], id: string): string {
  if (product === 'photoapp') return `https://photoapp.example/p/${Buffer.from(id).toString('base64url').slice(-11)}/`;
  const [page, number] = id.split('_');
  return `https://www.pageapp.example/${page}/posts/${number}`;
}
