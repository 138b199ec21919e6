import { newMessageId } from '../webhooks/platform-ids.ts';
import {
  type AccountObject,
  type CommentObject,
  type ContentStore,
  type MessageObject,
  newPost,
  type PostObject,
  type ThreadObject,
} from './objects/store.ts';

/** Ids contain the last three digits of their account. */
const owners = [
  { number: '001', name: 'Demo Page', username: 'demo.photos', hasPhoto: true },
  { number: '011', name: 'Harbour Books', username: 'harbour.books', hasPhoto: true },
  { number: '012', name: 'Garden Café', username: 'garden.cafe', hasPhoto: true },
  { number: '013', name: 'Town Choir', username: 'town.choir', hasPhoto: false },
];
const outsideAccountId = '200000000000900';
const HOUR_MS = 3_600_000;

export function seededIds(number: string) {
  const pageId = `300000000000${number}`;
  const photoId = `200000000000${number}`;
  const postNumber = (n: number): string => `122000000${number}00${n}`;
  const commentNumber = (n: number): string => `880000000${number}00${n}`;
  const personId = (n: number): string => `2500000000${number}0${n}`;
  return {
    pageId,
    photoId,
    mediaId: (n: number): string => `1890000000${number}000${n}`,
    photoCommentId: (n: number): string => `1791000000${number}000${n}`,
    photoThread: (n: number): string => photoThreadId(photoId, personId(n)),
    postId: (n: number): string => `${pageId}_${postNumber(n)}`,
    pageCommentId: (n: number): string => `${postNumber(1)}_${commentNumber(n)}`,
    pageThread: (n: number): string => `t_500000000${number}00${n}`,
    personId,
    taggedMediaId: `1890000900${number}0001`,
    mentioningCommentId: `1791000900${number}0001`,
  };
}

export function photoThreadId(accountId: string, participantId: string): string {
  return `aWdfZAG06${Buffer.from(`thread:${accountId}:${participantId}`).toString('base64url')}`;
}

export function putAccount(
  store: ContentStore,
  account: Pick<AccountObject, 'id' | 'product' | 'name'> & Partial<AccountObject>,
): void {
  const facts = { username: null, linkedId: null, category: 'Local business', followerCount: 1_200 };
  store.put<AccountObject>({ kind: 'account', accountId: account.id, ...facts, ...account });
}

type Seed = ReturnType<typeof seedOf>;

/** Returns functions that put objects of the past. */
function seedOf(store: ContentStore, nowMs: number) {
  const atMs = (hoursAgo: number): number => nowMs - hoursAgo * HOUR_MS;
  return {
    store,
    post(id: string, accountId: string, { hoursAgo, ...post }: { hoursAgo: number } & Partial<PostObject>) {
      const { product } = store.get('account', accountId)!;
      const isPhoto = product === 'photoapp';
      store.put(
        newPost({
          id,
          product,
          accountId,
          type: isPhoto ? 'IMAGE' : 'TEXT',
          createdAtMs: atMs(hoursAgo),
          mediaUrl: isPhoto ? `https://cdn.photoapp.example/${id}.jpg` : null,
          permalink: isPhoto ? `https://photoapp.example/p/${id}/` : `https://www.pageapp.example/${id}`,
          ...post,
        }),
      );
    },
    comment(id: string, postId: string, { hoursAgo, ...comment }: SeededComment) {
      const { accountId, product } = store.get('post', postId)!;
      const facts = { product, accountId, postId, parentId: null, isHidden: false, createdAtMs: atMs(hoursAgo) };
      store.put<CommentObject>({ kind: 'comment', id, ...facts, ...comment });
    },
    thread(id: string, accountId: string, { hoursAgo, ...thread }: SeededThread) {
      const { product } = store.get('account', accountId)!;
      store.put<ThreadObject>({ kind: 'thread', id, product, accountId, ...thread });
      for (const [minutes, text] of ['Hello, do you have rye bread?', 'Yes, every morning', 'Thank you'].entries()) {
        const createdAtMs = atMs(hoursAgo) + minutes * 60_000;
        const facts = { threadId: id, isFromAccount: minutes === 1, text, createdAtMs };
        store.put<MessageObject>({ kind: 'message', id: newMessageId(product), product, accountId, ...facts });
      }
    },
  };
}

type SeededComment = { readonly hoursAgo: number } & Pick<CommentObject, 'from' | 'text'> & Partial<CommentObject>;
type SeededThread = { readonly hoursAgo: number } & Pick<ThreadObject, 'participant' | 'unreadCount'>;

export function seedContent(store: ContentStore, nowMs: number): void {
  const seed = seedOf(store, nowMs);
  putAccount(store, { id: outsideAccountId, product: 'photoapp', name: 'Town News', username: 'town.news' });
  for (const owner of owners) {
    seedPage(seed, owner);
    if (owner.hasPhoto) seedPhotoAccount(seed, owner);
  }
}

type Owner = (typeof owners)[number];

function seedPhotoAccount({ store, post, comment, thread }: Seed, { number, name, username }: Owner): void {
  const ids = seededIds(number);
  const { photoId } = ids;
  putAccount(store, { id: photoId, product: 'photoapp', name, username, linkedId: ids.pageId });
  const film = { type: 'REELS', mediaUrl: 'https://cdn.photoapp.example/film.mp4' } as const;
  post(ids.mediaId(1), photoId, { text: 'Fresh bread today', hoursAgo: 72 });
  post(ids.mediaId(2), photoId, { text: 'Behind the counter', ...film, hoursAgo: 48 });
  const children = [1, 2].map((place) => `${ids.mediaId(3)}${place}`);
  post(ids.mediaId(3), photoId, { text: 'Four seasons', type: 'CAROUSEL', children, hoursAgo: 24 });
  post(ids.mediaId(4), photoId, { type: 'STORIES', viewerCount: 3, hoursAgo: 2 });
  post(ids.taggedMediaId, outsideAccountId, { text: `At @${username}`, taggedIds: [photoId], hoursAgo: 30 });

  const person = (n: number, who: string) => ({ from: { id: ids.personId(n), name: who } });
  const own = { from: { id: photoId, name: username } };
  const on = ids.mediaId(1);
  const answered = ids.photoCommentId(1);
  comment(answered, on, { text: 'When do you open?', ...person(1, 'kerry.fisher'), hoursAgo: 70 });
  comment(ids.photoCommentId(2), on, { text: 'At seven', parentId: answered, ...own, hoursAgo: 69 });
  const spam = { text: 'Buy followers here', isHidden: true };
  comment(ids.photoCommentId(3), on, { ...spam, ...person(2, 'spam'), hoursAgo: 60 });
  comment(ids.photoCommentId(4), on, { text: 'Best in town', ...person(3, 'joão.silva'), hoursAgo: 50 });
  const mention = { text: `Ask @${username}`, ...person(3, 'joão.silva'), hoursAgo: 29 };
  comment(ids.mentioningCommentId, ids.taggedMediaId, mention);
  for (const [index, who] of ['kerry.fisher', 'joão.silva'].entries()) {
    const participant = { id: ids.personId(index + 1), name: who };
    thread(ids.photoThread(index + 1), photoId, { participant, unreadCount: index, hoursAgo: (index + 1) * 5 });
  }
}

function seedPage({ store, post, comment, thread }: Seed, { number, name, username, hasPhoto }: Owner): void {
  const ids = seededIds(number);
  const { pageId } = ids;
  putAccount(store, { id: pageId, product: 'pageapp', name, username, ...(hasPhoto && { linkedId: ids.photoId }) });
  post(ids.postId(1), pageId, { text: 'We are open on Sunday', hoursAgo: 96 });
  post(ids.postId(2), pageId, { type: 'LINK', text: 'Our menu', link: 'https://menu.example/', hoursAgo: 40 });
  const picture = { type: 'IMAGE', mediaUrl: 'https://cdn.pageapp.example/oven.jpg' } as const;
  post(ids.postId(3), pageId, { ...picture, text: 'The new oven', hoursAgo: 20 });

  const person = (n: number, who: string) => ({ from: { id: ids.personId(n), name: who } });
  const own = { from: { id: pageId, name } };
  const on = ids.postId(1);
  const answered = ids.pageCommentId(1);
  comment(answered, on, { text: 'From what time?', ...person(4, 'Kerry Fisher'), hoursAgo: 95 });
  comment(ids.pageCommentId(2), on, { text: 'From seven', parentId: answered, ...own, hoursAgo: 94 });
  comment(ids.pageCommentId(3), on, { text: 'Win money', isHidden: true, ...person(5, 'Spam'), hoursAgo: 93 });
  comment(ids.pageCommentId(4), on, { text: 'Até domingo', ...person(6, 'João Silva'), hoursAgo: 92 });
  for (const [index, who] of ['Kerry Fisher', 'João Silva'].entries()) {
    const participant = { id: ids.personId(index + 1), name: who };
    thread(ids.pageThread(index + 1), pageId, { participant, unreadCount: index, hoursAgo: (index + 1) * 5 });
  }
}
