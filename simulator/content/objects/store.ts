import { randomInt } from 'node:crypto';
import type { ChannelType } from '../../../contract/event-types.ts';

/**
 * Objects are replaced, never changed. The id of a Page's post is `<page>_<number>`. A comment on it has the id `<post
 * number>_<number>`, or its last number alone.
 */
export type ContentProduct = Exclude<ChannelType, 'chatapp'>;

interface Owned {
  readonly id: string;
  readonly product: ContentProduct;
  readonly accountId: string;
}

export interface Author {
  readonly id: string;
  readonly name: string;
}

export interface AccountObject extends Owned {
  readonly kind: 'account';
  readonly name: string;
  readonly username: string | null;
  /** Links a Page and its photo account. */
  readonly linkedId: string | null;
  readonly followerCount: number;
  readonly category: string;
}

type PostType = 'TEXT' | 'LINK' | 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL';

export interface PostObject extends Owned {
  readonly kind: 'post';
  readonly type: PostType;
  readonly text: string | null;
  readonly link: string | null;
  readonly mediaUrl: string | null;
  readonly permalink: string;
  readonly createdAtMs: number;
  readonly isCommentEnabled: boolean;
  /** The platform gives no insights below five viewers. */
  readonly viewerCount: number;
  /** The photo or video of a Page's post. */
  readonly objectId: string | null;
  /** Of a post that was published from a container. */
  readonly containerId: string | null;
  readonly children: readonly string[];
  readonly taggedIds: readonly string[];
}

export interface CommentObject extends Owned {
  readonly kind: 'comment';
  readonly postId: string;
  /** A top-level comment, because replies do not nest. */
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

export interface UploadObject extends Owned {
  readonly kind: 'upload';
  readonly type: 'photo' | 'video' | 'reel';
  readonly fileUrl: string | null;
  readonly isUploaded: boolean;
  readonly postId: string | null;
  readonly createdAtMs: number;
}

type NewPost = Pick<PostObject, 'id' | 'product' | 'accountId' | 'type' | 'permalink' | 'createdAtMs'>;

export function newPost(post: NewPost & Partial<PostObject>): PostObject {
  return {
    kind: 'post',
    text: null,
    link: null,
    mediaUrl: null,
    isCommentEnabled: true,
    viewerCount: 40,
    objectId: null,
    containerId: null,
    children: [],
    taggedIds: [],
    ...post,
  };
}

export type ContentObject = AccountObject | PostObject | CommentObject | ThreadObject | MessageObject | UploadObject;
export type ContentKind = ContentObject['kind'];
type OfKind<K extends ContentKind> = Extract<ContentObject, { kind: K }>;

export interface ContentStore {
  find(id: string): ContentObject | undefined;
  get<K extends ContentKind>(kind: K, id: string): OfKind<K> | undefined;
  put<T extends ContentObject>(object: T): T;
  /** Also removes what belongs to the object. */
  remove(object: ContentObject): void;
  all<K extends ContentKind>(kind: K): readonly OfKind<K>[];
  clear(): void;
}

const MAX_KEPT = 20_000;

export function createContentStore(): ContentStore {
  const objects = new Map<ContentKind, Map<string, ContentObject>>();
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
    if (kind === 'comment') aliases.delete(lastNumberOf(id));
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
      if (object.kind === 'comment' && object.id.includes('_')) aliases.set(lastNumberOf(object.id), object.id);
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

export function lastNumberOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** The prefix differs from those of containers and published media. */
export function newContentNumber(): string {
  return `1793${`${randomInt(1e6)}`.padStart(6, '0')}${`${randomInt(1e7)}`.padStart(7, '0')}`;
}
