import { invalidParameter, missingObject, Refusal } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { pageappPost } from '../webhooks/accounts.ts';
import { accountOf, objectOf, requiredText, type Write } from './write.ts';
import { newContentNumber, newPost, type PostObject, type UploadObject } from './objects/store.ts';

/** A post, a photo and a video take one call; a reel takes three: start, upload and finish. All are visible at once. */

const DUPLICATE_MS = 60_000;

export function addPost(write: Write): Effect {
  const { parameters, store, nowMs } = write;
  const text = parameters.get('message') ?? null;
  const link = parameters.get('link') ?? null;
  if (text === null && link === null) throw invalidParameter('Missing message or attachment');
  const page = accountOf(write);
  const isRepeated = store
    .all('post')
    .some(
      (post) =>
        post.accountId === page.id &&
        post.text === text &&
        post.link === link &&
        (post.type === 'TEXT' || post.type === 'LINK') &&
        nowMs - post.createdAtMs < DUPLICATE_MS,
    );
  if (isRepeated) throw new Refusal({ code: 506, message: '(#506) Duplicate status message' });
  const post = publishPost(write, { number: newContentNumber(), type: link === null ? 'TEXT' : 'LINK', text, link });
  return { body: { id: post.id }, madeId: post.id };
}

export function addPhoto(write: Write): Effect {
  const photo = newUpload(write, { type: 'photo', fileUrl: requiredText(write, 'url') });
  const text = write.parameters.get('message') ?? null;
  const post = publishPost(write, { number: newContentNumber(), type: 'IMAGE', text, upload: photo });
  return { body: { id: photo.id, post_id: post.id }, madeId: post.id };
}

export function addVideo(write: Write): Effect {
  const video = newUpload(write, { type: 'video', fileUrl: requiredText(write, 'file_url') });
  publishPost(write, { ...describedVideo(write, video), type: 'VIDEO' });
  return { body: { id: video.id }, madeId: video.id };
}

export function writeReel(write: Write): Effect {
  const phase = write.parameters.get('upload_phase');
  if (phase === 'finish') return finishReel(write);
  if (phase !== 'start') throw invalidParameter('Param upload_phase must be one of {START, FINISH}.');
  const { id } = newUpload(write, { type: 'reel', fileUrl: null });
  return { body: { video_id: id, upload_url: `${write.call.origin}/video-upload/v25.0/${id}` }, madeId: id };
}

export function uploadReel(write: Write): Effect {
  const { target, parameters } = write.call;
  const { file_url: header } = target.request.headers;
  const fileUrl = typeof header === 'string' ? header : null;
  if (fileUrl === null && parameters.byteCount === 0)
    throw invalidParameter('The upload has neither bytes nor a file_url');
  write.store.put({ ...objectOf(write, 'upload'), fileUrl, isUploaded: true });
  return { body: { success: true } };
}

function finishReel(write: Write): Effect {
  const { store, script } = write;
  const id = requiredText(write, 'video_id');
  const reel = store.get('upload', id);
  if (!reel || reel.accountId !== accountOf(write).id) throw missingObject(id);
  if (!reel.isUploaded)
    throw new Refusal({ code: 6000, message: 'There was a problem uploading your video file: it is not there.' });
  if (reel.postId !== null) throw invalidParameter('The video has been published already');
  const post = publishPost(write, { ...describedVideo(write, reel), type: 'REELS' });
  const { answersPostId } = script.settings().videos;
  return { body: { success: true, ...(answersPostId && { post_id: post.id }) }, madeId: post.id };
}

export function deletePost(write: Write): Effect {
  const post = objectOf(write, 'post');
  write.store.remove(post);
  const shown = write.store.get('upload', post.objectId ?? '');
  if (shown) write.store.remove(shown);
  reportPost(write, post, 'remove');
  return { body: { success: true } };
}

interface Publishing extends Pick<PostObject, 'type' | 'text'> {
  readonly number: string;
  readonly link?: string | null;
  readonly upload?: UploadObject;
}

/** The post of a video has the video's number. */
function describedVideo({ parameters }: Write, upload: UploadObject) {
  return { number: upload.id, text: parameters.get('description') ?? null, upload };
}

function publishPost(write: Write, { number, upload, ...fields }: Publishing): PostObject {
  const { id: pageId } = accountOf(write);
  const path = fields.type === 'REELS' ? `reel/${number}` : `${pageId}/posts/${number}`;
  const post = write.store.put(
    newPost({
      product: 'pageapp',
      accountId: pageId,
      id: `${pageId}_${number}`,
      permalink: `https://www.pageapp.example/${path}`,
      mediaUrl: upload?.fileUrl ?? null,
      objectId: upload?.id ?? null,
      createdAtMs: write.nowMs,
      ...fields,
    }),
  );
  if (upload) write.store.put({ ...upload, postId: post.id });
  reportPost(write, post, 'add');
  return post;
}

function newUpload(write: Write, { type, fileUrl }: Pick<UploadObject, 'type' | 'fileUrl'>): UploadObject {
  return write.store.put<UploadObject>({
    kind: 'upload',
    product: 'pageapp',
    id: newContentNumber(),
    accountId: accountOf(write).id,
    type,
    fileUrl,
    isUploaded: fileUrl !== null,
    postId: null,
    createdAtMs: write.nowMs,
  });
}

const feedItems: Readonly<Record<PostObject['type'], string>> = {
  TEXT: 'status',
  LINK: 'share',
  IMAGE: 'photo',
  CAROUSEL: 'photo',
  STORIES: 'photo',
  VIDEO: 'video',
  REELS: 'video',
};

function reportPost(write: Write, { id, text, type }: PostObject, verb: 'add' | 'remove'): void {
  const { id: pageId, name } = accountOf(write);
  const who = { pageId, from: pageId, name };
  write.report(
    pageappPost({ ...who, id, item: feedItems[type], ...(text !== null && { text }), verb, atMs: write.nowMs }),
  );
}
