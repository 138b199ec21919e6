import type { Effect } from '../scripted-api/settle.ts';
import { accountOf, objectOf, requiredText, type EffectCall } from './effect-call.ts';
import { newContentNumber, type PostObject, type UploadObject } from './objects/store.ts';
import { postItem } from './webhook-items.ts';
import { invalidParameter, missingObject, Refusal } from '../scripted-api/refusals.ts';

/** A post, a photo and a video take one call; a reel takes three: start, upload and finish. All are visible at once. */

const DUPLICATE_MS = 60_000;

export function addPost(call: EffectCall): Effect {
  const { parameters, view } = call;
  const text = parameters.get('message') ?? null;
  const link = parameters.get('link') ?? null;
  if (text === null && link === null) throw invalidParameter('Missing message or attachment');
  const page = accountOf(call);
  const isRepeated = view.store
    .all('post')
    .some((post) => post.accountId === page.id && isSame(post, { text, link }) && isRecent(post, view.nowMs));
  if (isRepeated) throw new Refusal({ code: 506, message: '(#506) Duplicate status message' });
  const post = publishPost(call, { number: newContentNumber(), type: link === null ? 'TEXT' : 'LINK', text, link });
  return { body: { id: post.id }, madeId: post.id };
}

export function addPhoto(call: EffectCall): Effect {
  const fileUrl = requiredText(call, 'url');
  const photo = newUpload(call, { type: 'photo', fileUrl });
  const text = call.parameters.get('message') ?? null;
  const post = publishPost(call, { number: newContentNumber(), type: 'IMAGE', text, upload: photo });
  return { body: { id: photo.id, post_id: post.id }, madeId: post.id };
}

export function addVideo(call: EffectCall): Effect {
  const video = newUpload(call, { type: 'video', fileUrl: requiredText(call, 'file_url') });
  publishPost(call, { ...describedVideo(call, video), type: 'VIDEO' });
  return { body: { id: video.id }, madeId: video.id };
}

export function writeReel(call: EffectCall): Effect {
  const phase = call.parameters.get('upload_phase');
  if (phase === 'finish') return finishReel(call);
  if (phase !== 'start') throw invalidParameter('Param upload_phase must be one of {START, FINISH}.');
  const { id } = newUpload(call, { type: 'reel', fileUrl: null });
  return { body: { video_id: id, upload_url: `${call.origin}/video-upload/v25.0/${id}` }, madeId: id };
}

export function uploadReel(call: EffectCall): Effect {
  const { fileUrl, byteCount } = call.upload;
  if (fileUrl === undefined && byteCount === 0) throw invalidParameter('The upload has neither bytes nor a file_url');
  call.view.store.put({ ...objectOf(call, 'upload'), fileUrl: fileUrl ?? null, isUploaded: true });
  return { body: { success: true } };
}

function finishReel(call: EffectCall): Effect {
  const id = requiredText(call, 'video_id');
  const reel = call.view.store.get('upload', id);
  if (!reel || reel.accountId !== accountOf(call).id) throw missingObject(id);
  if (!reel.isUploaded)
    throw new Refusal({ code: 6000, message: 'There was a problem uploading your video file: it is not there.' });
  if (reel.postId !== null) throw invalidParameter('The video has been published already');
  const post = publishPost(call, { ...describedVideo(call, reel), type: 'REELS' });
  const { answersPostId } = call.script.settings().videos;
  return { body: { success: true, ...(answersPostId && { post_id: post.id }) }, madeId: post.id };
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

interface NewPost extends Pick<PostObject, 'type' | 'text'> {
  readonly number: string;
  readonly link?: string | null;
  readonly upload?: UploadObject;
}

/** The post of a video has the video's number. */
function describedVideo({ parameters }: EffectCall, upload: UploadObject) {
  return { number: upload.id, text: parameters.get('description') ?? null, upload };
}

function publishPost(call: EffectCall, { number, upload, link = null, ...fields }: NewPost): PostObject {
  const { store, nowMs } = call.view;
  const page = accountOf(call);
  const post = store.put<PostObject>({
    ...{ kind: 'post', product: 'pageapp', accountId: page.id, id: `${page.id}_${number}`, link, ...fields },
    permalink: `https://www.pageapp.example/${fields.type === 'REELS' ? `reel/${number}` : `${page.id}/posts/${number}`}`,
    mediaUrl: upload?.fileUrl ?? null,
    objectId: upload?.id ?? null,
    createdAtMs: nowMs,
    isCommentEnabled: true,
    viewerCount: 40,
    ...{ children: [], taggedIds: [] },
  });
  if (upload) store.put({ ...upload, postId: post.id });
  call.report(postItem(post, { page, verb: 'add', atMs: nowMs }));
  return post;
}

function newUpload(call: EffectCall, { type, fileUrl }: Pick<UploadObject, 'type' | 'fileUrl'>): UploadObject {
  const { store, nowMs } = call.view;
  const { id: accountId } = accountOf(call);
  const facts = { type, fileUrl, isUploaded: fileUrl !== null, postId: null, createdAtMs: nowMs };
  return store.put<UploadObject>({ kind: 'upload', product: 'pageapp', id: newContentNumber(), accountId, ...facts });
}

function isSame(post: PostObject, { text, link }: Pick<PostObject, 'text' | 'link'>): boolean {
  return post.text === text && post.link === link && (post.type === 'TEXT' || post.type === 'LINK');
}

function isRecent({ createdAtMs }: PostObject, nowMs: number): boolean {
  return nowMs - createdAtMs < DUPLICATE_MS;
}
