import type { ContentAdditions } from './control.ts';
import { commentIdOn } from './comments.ts';
import {
  newContentNumber,
  type AccountObject,
  type CommentObject,
  type ContentStore,
  type MessageObject,
  type PostObject,
  type ThreadObject,
} from './objects/store.ts';
import { RequestRefused } from '../servers/http-server.ts';
import { newMessageId } from '../webhooks/platform-ids.ts';

interface Adding {
  readonly store: ContentStore;
  readonly nowMs: number;
}

type Given<K extends keyof ContentAdditions> = NonNullable<ContentAdditions[K]>[number];

/** In the order of the request. */
export interface MadeContent {
  readonly accounts: readonly string[];
  readonly posts: readonly string[];
  readonly comments: readonly string[];
  readonly threads: readonly string[];
}

export function addContent(
  adding: Adding,
  { accounts = [], posts = [], comments = [], threads = [] }: ContentAdditions,
  onSent: (comment: CommentObject) => void = () => {},
): MadeContent {
  return {
    accounts: accounts.map((account) => addAccount(adding, account).id),
    posts: posts.map((post) => addPostObject(adding, post).id),
    comments: comments.map((given) => {
      const comment = addCommentObject(adding, given);
      if (given.isSent) onSent(comment);
      return comment.id;
    }),
    threads: threads.map((thread) => addThread(adding, thread).id),
  };
}

function addAccount({ store }: Adding, { username, linkedId, followerCount, ...account }: Given<'accounts'>) {
  return store.put<AccountObject>({
    ...account,
    ...{ kind: 'account', accountId: account.id, category: 'Local business' },
    username: username ?? null,
    linkedId: linkedId ?? null,
    followerCount: followerCount ?? 1_200,
  });
}

function addPostObject(adding: Adding, given: Given<'posts'>): PostObject {
  const account = known(adding.store.get('account', given.accountId), given.accountId);
  const { product } = account;
  const createdAtMs = given.createdAtMs ?? adding.nowMs;
  const id = given.id ?? (product === 'photoapp' ? newContentNumber() : `${account.id}_${newContentNumber()}`);
  const type = given.type ?? (product === 'photoapp' ? 'IMAGE' : 'TEXT');
  const children = type === 'CAROUSEL' ? [1, 2].map((place) => `${id}${place}`) : [];
  return adding.store.put<PostObject>({
    ...{ kind: 'post', product, accountId: account.id, id, type, createdAtMs, children },
    text: given.text ?? null,
    link: given.link ?? null,
    mediaUrl: given.mediaUrl ?? (product === 'photoapp' ? `https://cdn.photoapp.example/${id}.jpg` : null),
    permalink: permalinkOf(product, id),
    visibleAtMs: createdAtMs,
    isCommentEnabled: true,
    viewerCount: given.viewerCount ?? 40,
    objectId: null,
    taggedIds: given.taggedIds ?? [],
  });
}

function addCommentObject({ store, nowMs }: Adding, given: Given<'comments'>): CommentObject {
  const { accountId, product } = known(store.get('post', given.postId), given.postId);
  const parent = given.parentId === undefined ? null : known(store.get('comment', given.parentId), given.parentId);
  return store.put<CommentObject>({
    ...{ kind: 'comment', product, accountId, postId: given.postId },
    id: given.id ?? commentIdOn(product, { postId: given.postId, number: newContentNumber() }),
    parentId: parent && (parent.parentId ?? parent.id),
    from: given.from ?? { id: '250000000000999', name: product === 'photoapp' ? 'kerry.fisher' : 'Kerry Fisher' },
    text: given.text ?? 'Lovely!',
    createdAtMs: given.createdAtMs ?? nowMs,
    isHidden: given.isHidden ?? false,
  });
}

function addThread(adding: Adding, given: Given<'threads'>): ThreadObject {
  const { store, nowMs } = adding;
  const { id: accountId, product } = known(store.get('account', given.accountId), given.accountId);
  const thread = threadWith(adding, { ...given, participant: given.participant ?? strangerTo(product), product });
  store.put<ThreadObject>({ ...thread, unreadCount: given.unreadCount ?? thread.unreadCount });
  for (const { text, isFromAccount = false, createdAtMs = nowMs } of given.messages ?? []) {
    const message = { id: newMessageId(product), threadId: thread.id, text, isFromAccount, createdAtMs };
    store.put<MessageObject>({ kind: 'message', product, accountId, ...message });
  }
  return thread;
}

/** Returns the existing thread with the person, if there is one. */
function threadWith(
  { store }: Adding,
  { id, accountId, participant, product }: Given<'threads'> & Pick<ThreadObject, 'participant' | 'product'>,
): ThreadObject {
  const before = store
    .all('thread')
    .find((each) => each.accountId === accountId && each.participant.id === participant.id);
  if (before) return before;
  const ownId = product === 'photoapp' ? photoThreadId(accountId, participant.id) : `t_${newContentNumber()}`;
  return { kind: 'thread', product, accountId, participant, id: id ?? ownId, unreadCount: 0 };
}

function strangerTo(product: ThreadObject['product']): ThreadObject['participant'] {
  const name = product === 'photoapp' ? 'kerry.fisher' : 'Kerry Fisher';
  return { id: `25${newContentNumber().slice(4)}`, name };
}

/** Photoapp's thread ids have no prefix. */
export function photoThreadId(accountId: string, participantId: string): string {
  return `aWdfZAG06${Buffer.from(`thread:${accountId}:${participantId}`).toString('base64url')}`;
}

function permalinkOf(product: AccountObject['product'], id: string): string {
  if (product === 'photoapp') return `https://photoapp.example/p/${Buffer.from(id).toString('base64url').slice(-11)}/`;
  const [page, number] = id.split('_');
  return `https://www.pageapp.example/${page}/posts/${number}`;
}

function known<T>(object: T | undefined, id: string): T {
  if (object === undefined)
    throw new RequestRefused(400, `Unknown object ${id}. Add it first, or use the id of a seeded one.`);
  return object;
}
