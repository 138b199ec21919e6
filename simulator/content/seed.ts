import { addAccount, addContent, type ContentAdditions, photoThreadId } from './additions.ts';
import type { ContentStore } from './objects/store.ts';

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

export function seedContent(store: ContentStore, nowMs: number): void {
  const outside = { id: outsideAccountId, product: 'photoapp', name: 'Town News', username: 'town.news' } as const;
  addAccount(store, outside);
  for (const owner of owners) {
    addContent(store, pageOf(owner, nowMs));
    if (owner.hasPhoto) addContent(store, photoOf(owner, nowMs));
  }
}

type Owner = (typeof owners)[number];

function photoOf(owner: Owner, nowMs: number): ContentAdditions {
  const { number, name, username } = owner;
  const ids = seededIds(number);
  const accountId = ids.photoId;
  return {
    accounts: [{ id: accountId, product: 'photoapp', name, username, linkedId: ids.pageId }],
    posts: photoPosts(owner, nowMs),
    comments: photoComments(owner, nowMs),
    threads: threadsOf({ accountId, threadId: ids.photoThread, ids, nowMs, names: ['kerry.fisher', 'joão.silva'] }),
  };
}

function photoPosts({ number, username }: Owner, nowMs: number): ContentAdditions['posts'] {
  const ids = seededIds(number);
  const accountId = ids.photoId;
  const at = (hoursAgo: number) => ({ createdAtMs: nowMs - hoursAgo * HOUR_MS });
  return [
    { id: ids.mediaId(1), accountId, text: 'Fresh bread today', ...at(72) },
    {
      ...{ id: ids.mediaId(2), accountId, type: 'REELS', text: 'Behind the counter', ...at(48) },
      mediaUrl: 'https://cdn.photoapp.example/film.mp4',
    },
    { id: ids.mediaId(3), accountId, type: 'CAROUSEL', text: 'Four seasons', ...at(24) },
    { id: ids.mediaId(4), accountId, type: 'STORIES', text: null, viewerCount: 3, ...at(2) },
    {
      ...{ id: ids.taggedMediaId, accountId: outsideAccountId, text: `At @${username}`, ...at(30) },
      taggedIds: [accountId],
    },
  ];
}

function photoComments({ number, username }: Owner, nowMs: number): ContentAdditions['comments'] {
  const ids = seededIds(number);
  const at = (hoursAgo: number) => ({ createdAtMs: nowMs - hoursAgo * HOUR_MS });
  const person = (n: number, who: string) => ({ from: { id: ids.personId(n), name: who } });
  const onFirst = { postId: ids.mediaId(1) };
  const ownName = { from: { id: ids.photoId, name: username } };
  return [
    { ...onFirst, id: ids.photoCommentId(1), text: 'When do you open?', ...person(1, 'kerry.fisher'), ...at(70) },
    {
      ...onFirst,
      id: ids.photoCommentId(2),
      text: 'At seven',
      parentId: ids.photoCommentId(1),
      ...ownName,
      ...at(69),
    },
    {
      ...onFirst,
      id: ids.photoCommentId(3),
      text: 'Buy followers here',
      ...person(2, 'spam'),
      ...at(60),
      isHidden: true,
    },
    { ...onFirst, id: ids.photoCommentId(4), text: 'Best in town', ...person(3, 'joão.silva'), ...at(50) },
    {
      ...{ id: ids.mentioningCommentId, postId: ids.taggedMediaId, text: `Ask @${username}` },
      ...{ ...person(3, 'joão.silva'), ...at(29) },
    },
  ];
}

function pageOf({ number, name, username, hasPhoto }: Owner, nowMs: number): ContentAdditions {
  const ids = seededIds(number);
  const at = (hoursAgo: number) => ({ createdAtMs: nowMs - hoursAgo * HOUR_MS });
  const person = (n: number, who: string) => ({ from: { id: ids.personId(n), name: who } });
  const accountId = ids.pageId;
  const onFirst = { postId: ids.postId(1) };
  const linked = hasPhoto && { linkedId: ids.photoId };
  return {
    accounts: [{ id: accountId, product: 'pageapp', name, username, ...linked }],
    posts: [
      { id: ids.postId(1), accountId, text: 'We are open on Sunday', ...at(96) },
      { id: ids.postId(2), accountId, type: 'LINK', text: 'Our menu', link: 'https://menu.example/', ...at(40) },
      {
        ...{ id: ids.postId(3), accountId, type: 'IMAGE', text: 'The new oven', ...at(20) },
        mediaUrl: 'https://cdn.pageapp.example/oven.jpg',
      },
    ],
    comments: [
      { ...onFirst, id: ids.pageCommentId(1), text: 'From what time?', ...person(4, 'Kerry Fisher'), ...at(95) },
      {
        ...{ ...onFirst, id: ids.pageCommentId(2), text: 'From seven', parentId: ids.pageCommentId(1) },
        ...{ from: { id: accountId, name }, ...at(94) },
      },
      { ...onFirst, id: ids.pageCommentId(3), text: 'Win money', ...person(5, 'Spam'), ...at(93), isHidden: true },
      { ...onFirst, id: ids.pageCommentId(4), text: 'Até domingo', ...person(6, 'João Silva'), ...at(92) },
    ],
    threads: threadsOf({ accountId, threadId: ids.pageThread, ids, nowMs, names: ['Kerry Fisher', 'João Silva'] }),
  };
}

interface SeededThreads {
  readonly accountId: string;
  readonly threadId: (n: number) => string;
  readonly ids: { readonly personId: (n: number) => string };
  readonly nowMs: number;
  readonly names: readonly string[];
}

function threadsOf({ accountId, threadId, ids, nowMs, names }: SeededThreads): ContentAdditions['threads'] {
  return names.map((name, index) => {
    const startMs = nowMs - (index + 1) * 5 * HOUR_MS;
    return {
      ...{ id: threadId(index + 1), accountId, participant: { id: ids.personId(index + 1), name } },
      unreadCount: index,
      messages: [
        { text: 'Hello, do you have rye bread?', createdAtMs: startMs },
        { text: 'Yes, every morning', isFromAccount: true, createdAtMs: startMs + 60_000 },
        { text: 'Thank you', createdAtMs: startMs + 120_000 },
      ],
    };
  });
}
