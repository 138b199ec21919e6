import type { ContentAdditions } from './control.ts';
import { commentIdOn } from './comments.ts';
import {
  newContentNumber,
  type AccountObject,
  type AlbumObject,
  type CommentObject,
  type ContentStore,
  type MessageObject,
  type PostObject,
  type ThreadObject,
} from './objects/store.ts';
import type { SentMessage } from '../messaging/message-log.ts';
import { objectAt, textAt } from '../scripted-api/parameters.ts';
import { RequestRefused } from '../servers/http-server.ts';
import { newMessageId } from '../webhooks/platform-ids.ts';

interface AddContext {
  readonly store: ContentStore;
  readonly nowMs: number;
}

type Input<K extends keyof ContentAdditions> = NonNullable<ContentAdditions[K]>[number];

export interface CreatedContent {
  readonly accounts: readonly string[];
  readonly posts: readonly string[];
  readonly comments: readonly string[];
  readonly threads: readonly string[];
}

export function addContent(
  context: AddContext,
  { accounts = [], posts = [], comments = [], threads = [] }: ContentAdditions,
  onSent: (comment: CommentObject) => void = () => {},
): CreatedContent {
  return {
    accounts: accounts.map((account) => addAccount(context, account).id),
    posts: posts.map((post) => addPostObject(context, post).id),
    comments: comments.map((input) => {
      const comment = addCommentObject(context, input);
      if (input.isSent) onSent(comment);
      return comment.id;
    }),
    threads: threads.map((thread) => addThread(context, thread).id),
  };
}

function addAccount(
  { store, nowMs }: AddContext,
  { username, linkedId, followerCount, ...account }: Input<'accounts'>,
) {
  const { id, product } = account;
  if (product === 'pageapp') {
    // Longer than the id of a number.
    const album = { id: `1230${id.slice(3)}`, name: 'Timeline photos', createdAtMs: nowMs };
    store.put<AlbumObject>({ kind: 'album', product, accountId: id, ...album });
  }
  return store.put<AccountObject>({
    ...account,
    ...{ kind: 'account', accountId: account.id, category: 'Local business' },
    username: username ?? null,
    linkedId: linkedId ?? null,
    followerCount: followerCount ?? 1_200,
  });
}

function addPostObject(context: AddContext, input: Input<'posts'>): PostObject {
  const account = requireObject(context.store.get('account', input.accountId), input.accountId);
  const { product } = account;
  const createdAtMs = input.createdAtMs ?? context.nowMs;
  const id = input.id ?? (product === 'photoapp' ? newContentNumber() : `${account.id}_${newContentNumber()}`);
  const type = input.type ?? (product === 'photoapp' ? 'IMAGE' : 'TEXT');
  const children = type === 'CAROUSEL' ? [1, 2].map((place) => `${id}${place}`) : [];
  return context.store.put<PostObject>({
    ...{ kind: 'post', product, accountId: account.id, id, type, createdAtMs, children },
    text: input.text ?? null,
    link: input.link ?? null,
    mediaUrl: input.mediaUrl ?? (product === 'photoapp' ? `https://cdn.photoapp.example/${id}.jpg` : null),
    permalink: permalinkOf(product, id),
    visibleAtMs: createdAtMs,
    isCommentEnabled: true,
    viewerCount: input.viewerCount ?? 40,
    objectId: null,
    taggedIds: input.taggedIds ?? [],
  });
}

function addCommentObject({ store, nowMs }: AddContext, input: Input<'comments'>): CommentObject {
  const { accountId, product } = requireObject(store.get('post', input.postId), input.postId);
  const parent =
    input.parentId === undefined ? null : requireObject(store.get('comment', input.parentId), input.parentId);
  return store.put<CommentObject>({
    ...{ kind: 'comment', product, accountId, postId: input.postId },
    id: input.id ?? commentIdOn(product, { postId: input.postId, number: newContentNumber() }),
    parentId: parent && (parent.parentId ?? parent.id),
    from: input.from ?? { id: '250000000000999', name: product === 'photoapp' ? 'kerry.fisher' : 'Kerry Fisher' },
    text: input.text ?? 'Lovely!',
    createdAtMs: input.createdAtMs ?? nowMs,
    isHidden: input.isHidden ?? false,
  });
}

function addThread(context: AddContext, input: Input<'threads'>): ThreadObject {
  const { store, nowMs } = context;
  const { id: accountId, product } = requireObject(store.get('account', input.accountId), input.accountId);
  const thread = threadWith(context, {
    ...input,
    participant: input.participant ?? defaultParticipant(product),
    product,
  });
  store.put<ThreadObject>({ ...thread, unreadCount: input.unreadCount ?? thread.unreadCount });
  for (const { text, isFromAccount = false, createdAtMs = nowMs } of input.messages ?? []) {
    const message = { id: newMessageId(product), threadId: thread.id, text, isFromAccount, createdAtMs };
    store.put<MessageObject>({ kind: 'message', product, accountId, ...message });
  }
  return thread;
}

/** Creates the conversation and an unknown account, because the platform knows every account that can send. */
export function recordSentMessage(
  store: ContentStore,
  { message, recipientId }: { readonly message: SentMessage; readonly recipientId: string },
): void {
  const { id, product, account: accountId, body, atMs } = message;
  if (product === 'chatapp') return;
  if (!store.get('account', accountId)) {
    addAccount({ store, nowMs: atMs }, { id: accountId, product, name: `Account ${accountId}` });
  }
  const participant = { id: recipientId, name: `Person ${recipientId.slice(-4)}` };
  const thread = threadWith({ store, nowMs: atMs }, { accountId, participant, product });
  store.put<ThreadObject>(thread);
  const text = textAt(objectAt(body, 'message') ?? {}, 'text') ?? '';
  const sent = { id, threadId: thread.id, text, isFromAccount: true, createdAtMs: atMs };
  store.put<MessageObject>({ kind: 'message', product, accountId, ...sent });
}

function threadWith(
  { store }: AddContext,
  { id, accountId, participant, product }: Input<'threads'> & Pick<ThreadObject, 'participant' | 'product'>,
): ThreadObject {
  const before = store
    .all('thread')
    .find((each) => each.accountId === accountId && each.participant.id === participant.id);
  if (before) return before;
  const ownId = product === 'photoapp' ? photoThreadId(accountId, participant.id) : `t_${newContentNumber()}`;
  return { kind: 'thread', product, accountId, participant, id: id ?? ownId, unreadCount: 0 };
}

function defaultParticipant(product: ThreadObject['product']): ThreadObject['participant'] {
  const name = product === 'photoapp' ? 'kerry.fisher' : 'Kerry Fisher';
  return { id: `25${newContentNumber().slice(4)}`, name };
}

export function photoThreadId(accountId: string, participantId: string): string {
  return `aWdfZAG06${Buffer.from(`thread:${accountId}:${participantId}`).toString('base64url')}`;
}

function permalinkOf(product: AccountObject['product'], id: string): string {
  if (product === 'photoapp') return `https://photoapp.example/p/${Buffer.from(id).toString('base64url').slice(-11)}/`;
  const [page, number] = id.split('_');
  return `https://www.pageapp.example/${page}/posts/${number}`;
}

function requireObject<T>(object: T | undefined, id: string): T {
  if (object === undefined)
    throw new RequestRefused(400, `Unknown object ${id}. Add it first, or use the id of a seeded one.`);
  return object;
}
