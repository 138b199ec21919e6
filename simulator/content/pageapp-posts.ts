import type { Effect } from '../scripted-api/settle.ts';
import { accountOf, objectOf, optionalFlag, requiredText, type EffectCall } from './effect-call.ts';
import { newContentNumber, type PostObject, type UploadObject } from './objects/store.ts';
import { postItem } from './webhook-items.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';

const DUPLICATE_MS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const schedule = { minMs: 10 * MINUTE_MS, maxMs: 30 * DAY_MS };

export function addPost(call: EffectCall): Effect {
  const { parameters, view } = call;
  const text = parameters.get('message') ?? null;
  const link = parameters.get('link') ?? null;
  if (text === null && link === null) throw invalidParameter('Missing message or attachment');
  if (link !== null && !isAddress(link)) {
    throw new Refusal({ code: 1609005, message: '(#1609005) The link could not be used.' });
  }
  const page = accountOf(call);
  const isRepeated = view.store
    .all('post')
    .some((post) => post.accountId === page.id && isSame(post, { text, link }) && isRecent(post, view.nowMs));
  if (isRepeated) throw new Refusal({ code: 506, message: '(#506) Duplicate status message' });
  const visibleAtMs = visibleFrom(call);
  const type = link === null ? 'TEXT' : 'LINK';
  const post = publishPost(call, { number: newContentNumber(), type, text, link, visibleAtMs });
  return { body: { id: post.id }, madeId: post.id };
}

export function addPhoto(call: EffectCall): Effect {
  const { parameters, view } = call;
  const fileUrl = requiredAddress(call, 'url');
  const text = parameters.get('message') ?? parameters.get('caption') ?? null;
  const isPublished = optionalFlag(call, 'published') ?? true;
  const photo = view.store.put({ ...newUpload(call, { type: 'photo', fileUrl }), description: text });
  if (!isPublished && !parameters.has('scheduled_publish_time')) return { body: { id: photo.id }, madeId: photo.id };
  const post = publishPost(call, {
    ...{ number: newContentNumber(), type: 'IMAGE', text, mediaUrl: fileUrl, objectId: photo.id },
    visibleAtMs: visibleFrom(call),
  });
  view.store.put({ ...photo, postId: post.id });
  return { body: { id: photo.id, post_id: post.id }, madeId: post.id };
}

export function deletePost(call: EffectCall): Effect {
  const { store, nowMs } = call.view;
  const post = objectOf(call, 'post');
  store.remove(post);
  const shown = store.get('upload', post.objectId ?? '');
  if (shown) store.remove(shown);
  call.report(postItem(post, { page: accountOf(call), verb: 'remove', atMs: nowMs }));
  return { body: { success: true } };
}

interface NewPost {
  readonly number: string;
  readonly type: PostObject['type'];
  readonly text: string | null;
  readonly link?: string | null;
  readonly mediaUrl?: string;
  readonly objectId?: string;
  readonly visibleAtMs: number | null;
}

/** Reports the post if it is visible immediately, except for stories, whose id has no Page in it. */
export function publishPost(call: EffectCall, { number, ...fields }: NewPost): PostObject {
  const { store, nowMs } = call.view;
  const page = accountOf(call);
  const isStory = fields.type === 'STORIES';
  const post = store.put({
    ...{ link: null, mediaUrl: null, objectId: null, ...fields },
    ...{ kind: 'post', product: 'pageapp', accountId: page.id, id: isStory ? number : `${page.id}_${number}` },
    permalink: `https://www.pageapp.example/${fields.type === 'REELS' ? `reel/${number}` : `${page.id}/posts/${number}`}`,
    createdAtMs: nowMs,
    isCommentEnabled: true,
    viewerCount: 40,
    ...{ children: [], taggedIds: [] },
  } satisfies PostObject);
  if (post.visibleAtMs === nowMs && !isStory) call.report(postItem(post, { page, verb: 'add', atMs: nowMs }));
  return post;
}

export function newUpload(
  call: EffectCall,
  { type, fileUrl }: Pick<UploadObject, 'type'> & { fileUrl: string | null },
): UploadObject {
  return {
    ...{ kind: 'upload', product: 'pageapp', id: newContentNumber(), accountId: accountOf(call).id, type, fileUrl },
    ...{ description: null, uploadedAtMs: null, readyAtMs: null, problem: null, publishAtMs: null, postId: null },
    createdAtMs: call.view.nowMs,
  };
}

/** Returns null for a post that is never visible. */
export function visibleFrom(call: EffectCall): number | null {
  const { nowMs } = call.view;
  const isPublished = optionalFlag(call, 'published') ?? true;
  const text = call.parameters.get('scheduled_publish_time');
  if (text === undefined) return isPublished ? nowMs : null;
  if (isPublished) throw invalidParameter('You cannot specify a scheduled publish time on a published post');
  const atMs = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  const isInRange = atMs >= nowMs + schedule.minMs && atMs <= nowMs + schedule.maxMs;
  if (!isInRange) throw invalidParameter('The specified scheduled publish time is invalid.');
  return atMs;
}

export function requiredAddress(call: EffectCall, name: string): string {
  const address = requiredText(call, name);
  if (!isAddress(address)) throw invalidParameter(`Param ${name} should be a valid URI`);
  return address;
}

export function isAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

function isSame(post: PostObject, { text, link }: Pick<PostObject, 'text' | 'link'>): boolean {
  return post.text === text && post.link === link && (post.type === 'TEXT' || post.type === 'LINK');
}

function isRecent({ createdAtMs }: PostObject, nowMs: number): boolean {
  return nowMs - createdAtMs < DUPLICATE_MS;
}
