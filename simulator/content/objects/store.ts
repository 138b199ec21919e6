import { randomInt } from 'node:crypto';
import type { ChannelType } from '../../../contract/event-types.ts';

/**
 * What accounts and Pages hold: posts, comments, threads with their messages, uploaded videos. Objects are replaced as a
 * whole, never changed. Ids have the platform's forms: a Page's post is `<page>_<number>`, a comment on it
 * `<post number>_<number>`, which is also found by its last number alone.
 */
export type ContentProduct = Exclude<ChannelType, 'chatapp'>;

interface Owned {
  readonly id: string;
  readonly product: ContentProduct;
  /** The account or Page. */
  readonly accountId: string;
}

export interface Author {
  readonly id: string;
  /** The username for photoapp. */
  readonly name: string;
}

export interface AccountObject extends Owned {
  readonly kind: 'account';
  readonly name: string;
  readonly username: string | null;
  /** The photo account of a Page, the Page of a photo account. */
  readonly linkedId: string | null;
  readonly followerCount: number;
  readonly category: string;
}

export const postTypes = ['TEXT', 'LINK', 'IMAGE', 'VIDEO', 'REELS', 'STORIES', 'CAROUSEL'] as const;
type PostType = (typeof postTypes)[number];

export interface PostObject extends Owned {
  readonly kind: 'post';
  readonly type: PostType;
  readonly text: string | null;
  readonly link: string | null;
  readonly mediaUrl: string | null;
  readonly permalink: string;
  readonly createdAtMs: number;
  /** From when it is seen; null: never. */
  readonly visibleAtMs: number | null;
  readonly isCommentEnabled: boolean;
  /** Below five, the platform gives no insights. */
  readonly viewerCount: number;
  /** The photo or video that it shows. */
  readonly objectId: string | null;
  readonly children: readonly string[];
  /** Accounts that it tags. */
  readonly taggedIds: readonly string[];
}

export interface CommentObject extends Owned {
  readonly kind: 'comment';
  readonly postId: string;
  /** Of the first level always: replies do not nest deeper. */
  readonly parentId: string | null;
  readonly from: Author;
  readonly text: string;
  readonly createdAtMs: number;
  readonly isHidden: boolean;
}

export interface ThreadObject extends Owned {
  readonly kind: 'thread';
  readonly participant: Author;
  readonly unreadCount: number;
}

export interface MessageObject extends Owned {
  readonly kind: 'message';
  readonly threadId: string;
  readonly isFromAccount: boolean;
  readonly text: string;
  readonly createdAtMs: number;
}

/** A photo or video of a Page apart from the post that shows it. */
export interface UploadObject extends Owned {
  readonly kind: 'upload';
  readonly type: 'photo' | 'video' | 'reel';
  readonly description: string | null;
  readonly fileUrl: string | null;
  /** Null: no bytes yet. */
  readonly uploadedAtMs: number | null;
  readonly readyAtMs: number | null;
  /** Why its processing fails. */
  readonly problem: string | null;
  /** When it is to be seen; null: not finished, or a draft. */
  readonly publishAtMs: number | null;
  readonly postId: string | null;
  readonly createdAtMs: number;
}

export type ContentObject = AccountObject | PostObject | CommentObject | ThreadObject | MessageObject | UploadObject;
export type ContentKind = ContentObject['kind'];
type OfKind<K extends ContentKind> = Extract<ContentObject, { kind: K }>;

export interface ContentStore {
  find(id: string): ContentObject | undefined;
  get<K extends ContentKind>(kind: K, id: string): OfKind<K> | undefined;
  /** Adds an object, or replaces the one of its id. */
  put<T extends ContentObject>(object: T): T;
  /** Removes an object with all that hangs on it. */
  remove(object: ContentObject): void;
  /** Of this kind, oldest first. */
  all<K extends ContentKind>(kind: K): readonly OfKind<K>[];
  clear(): void;
}

/** For each kind; the oldest go first. Enough for hours of a bench that writes. */
const MAX_KEPT = 20_000;

export function createContentStore(): ContentStore {
  const objects = new Map<ContentKind, Map<string, ContentObject>>();
  /** Comments and posts of a Page by their last number. */
  const aliases = new Map<string, string>();

  function ofKind(kind: ContentKind): Map<string, ContentObject> {
    const found = objects.get(kind) ?? new Map<string, ContentObject>();
    objects.set(kind, found);
    return found;
  }

  function find(id: string): ContentObject | undefined {
    for (const each of objects.values()) {
      const object = each.get(id) ?? each.get(aliases.get(id) ?? '');
      if (object) return object;
    }
    return undefined;
  }

  const get: ContentStore['get'] = (kind, id) => {
    const object = find(id);
    return object && isOf(kind, object) ? object : undefined;
  };

  const all: ContentStore['all'] = (kind) => [...ofKind(kind).values()].filter((object) => isOf(kind, object));

  function forget({ kind, id }: ContentObject): void {
    ofKind(kind).delete(id);
    if (kind === 'comment') aliases.delete(tailOf(id));
  }

  function remove(object: ContentObject): void {
    forget(object);
    if (object.kind === 'post' || object.kind === 'comment') {
      for (const each of all('comment')) if (each.postId === object.id || each.parentId === object.id) forget(each);
    }
    if (object.kind === 'thread') for (const each of all('message')) if (each.threadId === object.id) forget(each);
  }

  return {
    find,
    get,
    all,
    remove,
    put(object) {
      const kept = ofKind(object.kind);
      kept.set(object.id, object);
      if (object.kind === 'comment' && object.id.includes('_')) aliases.set(tailOf(object.id), object.id);
      const [oldest] = kept.values();
      if (kept.size > MAX_KEPT && oldest) forget(oldest);
      return object;
    },
    clear() {
      objects.clear();
      aliases.clear();
    },
  };
}

function isOf<K extends ContentKind>(kind: K, object: ContentObject): object is OfKind<K> {
  return object.kind === kind;
}

/** The last number of an id, by which a Page's comments are deleted. */
export function tailOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** A fresh number whose beginning is none of the container's or published media's. */
export function newContentNumber(): string {
  return `1793${`${randomInt(1e6)}`.padStart(6, '0')}${`${randomInt(1e7)}`.padStart(7, '0')}`;
}
