import type { Effect } from '../scripted-api/settle.ts';
import { accountOf, objectOf, optionalFlag, requiredText, type EffectCall } from './effect-call.ts';
import type { UploadObject } from './objects/store.ts';
import { postItem } from './webhook-items.ts';
import { invalidParameter, missingObject, Refusal, refusals } from '../scripted-api/refusals.ts';
import { isAddress, newUpload, publishPost, requiredAddress, visibleFrom } from './pageapp-posts.ts';

/** A video takes one call; a reel takes three: start, upload and finish. */

const DAY_MS = 86_400_000;
const reelStates = ['PUBLISHED', 'DRAFT', 'SCHEDULED'];

export function addVideo(call: EffectCall): Effect {
  const { parameters, view } = call;
  const fileUrl = requiredAddress(call, 'file_url');
  const video = { ...newUpload(call, { type: 'video', fileUrl }), description: parameters.get('description') ?? null };
  const visibleAtMs = visibleFrom(call);
  const uploaded = view.store.put(processed(call, video));
  if (visibleAtMs !== null) showVideo(call, { video: uploaded, visibleAtMs });
  return { body: { id: video.id }, madeId: video.id };
}

export function startUpload(call: EffectCall, type: 'reel' | 'video'): Effect {
  const { id } = call.view.store.put(newUpload(call, { type, fileUrl: null }));
  return { body: { video_id: id, upload_url: `${call.origin}/video-upload/v25.0/${id}` }, madeId: id };
}

export function uploadReel(call: EffectCall): Effect {
  const reel = objectOf(call, 'upload');
  const { fileUrl, byteCount } = call.upload;
  if (fileUrl !== undefined && !isAddress(fileUrl)) throw invalidParameter('The header file_url is no valid URI');
  if (fileUrl === undefined && byteCount === 0) throw invalidParameter('The upload has neither bytes nor a file_url');
  call.view.store.put({ ...processed(call, reel), fileUrl: fileUrl ?? null });
  return { body: { success: true } };
}

export function finishReel(call: EffectCall): Effect {
  const { view, parameters, script } = call;
  const id = requiredText(call, 'video_id');
  const reel = view.store.get('upload', id);
  if (!reel || reel.accountId !== accountOf(call).id) throw missingObject(id);
  const state = parameters.get('video_state') ?? 'PUBLISHED';
  if (!reelStates.includes(state))
    throw invalidParameter(`Param video_state must be one of {${reelStates.join(', ')}}`);
  if (reel.uploadedAtMs === null) {
    throw new Refusal({ code: 6000, message: 'There was a problem uploading your video file: it is not there.' });
  }
  if (reel.publishAtMs !== null) throw invalidParameter('The video has been published already');
  const described = view.store.put({ ...reel, description: parameters.get('description') ?? null });
  if (state === 'DRAFT') return { body: { success: true } };
  checkReelLimit(call);
  const visibleAtMs = state === 'SCHEDULED' ? scheduledTime(call) : view.nowMs;
  const postId = showVideo(call, { video: described, visibleAtMs });
  const isAnswered = script.settings().videos.answersPostId && postId !== null;
  return {
    body: { success: true, ...(isAnswered && { post_id: postId }) },
    ...(postId !== null && { madeId: postId }),
  };
}

export function deleteUpload(call: EffectCall): Effect {
  const { store, nowMs } = call.view;
  const upload = objectOf(call, 'upload');
  store.remove(upload);
  const post = store.get('post', upload.postId ?? '');
  if (post) {
    store.remove(post);
    call.report(postItem(post, { page: accountOf(call), verb: 'remove', atMs: nowMs }));
  }
  return { body: { success: true } };
}

function processed({ view, script }: EffectCall, upload: UploadObject): UploadObject {
  const { processingMs, problem } = script.settings().videos;
  return { ...upload, uploadedAtMs: view.nowMs, readyAtMs: view.nowMs + processingMs, problem };
}

function showVideo(call: EffectCall, { video, visibleAtMs }: { video: UploadObject; visibleAtMs: number }) {
  if (video.problem !== null) return null;
  const publishAtMs = Math.max(visibleAtMs, video.readyAtMs ?? visibleAtMs);
  const post = publishPost(call, {
    ...{ number: video.id, type: video.type === 'reel' ? 'REELS' : 'VIDEO', text: video.description },
    ...{ objectId: video.id, visibleAtMs: publishAtMs, ...(video.fileUrl !== null && { mediaUrl: video.fileUrl }) },
  });
  call.view.store.put({ ...video, publishAtMs, postId: post.id });
  // Reported early, because callers do not wait for the processing.
  if (publishAtMs > call.view.nowMs && visibleAtMs === call.view.nowMs) {
    call.report(postItem(post, { page: accountOf(call), verb: 'add', atMs: call.view.nowMs }));
  }
  return post.id;
}

function scheduledTime(call: EffectCall): number {
  requiredText(call, 'scheduled_publish_time');
  const isPublished = optionalFlag(call, 'published') ?? false;
  const atMs = visibleFrom({ ...call, parameters: new Map([...call.parameters, ['published', String(isPublished)]]) });
  return atMs ?? call.view.nowMs;
}

function checkReelLimit({ view, object, script }: EffectCall): void {
  const sinceMs = view.nowMs - DAY_MS;
  const published = view.store
    .all('upload')
    .filter(({ type, accountId, publishAtMs }) => type === 'reel' && accountId === object.id && publishAtMs !== null)
    .filter(({ createdAtMs }) => createdAtMs > sinceMs);
  if (published.length >= script.settings().videos.reelLimit) {
    throw new Refusal(refusals.callLimit);
  }
}
