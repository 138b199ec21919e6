import type { Effect } from '../scripted-api/settle.ts';
import { invalidParameter, missingObject } from '../scripted-api/refusals.ts';
import { accountOf, requiredText, type EffectCall } from './effect-call.ts';
import { newContentNumber, type UploadObject } from './objects/store.ts';
import { publishPost } from './pageapp-posts.ts';

/** A story shows a photo that is not published, or a video that was uploaded like a reel. */
export function addPhotoStory(call: EffectCall): Effect {
  return addStory(call, uploadOf(call, 'photo_id'));
}

export function finishVideoStory(call: EffectCall): Effect {
  const video = uploadOf(call, 'video_id');
  if (video.uploadedAtMs === null) throw invalidParameter('The video has not been uploaded.');
  return addStory(call, video);
}

function uploadOf(call: EffectCall, name: 'photo_id' | 'video_id'): UploadObject {
  const id = requiredText(call, name);
  const upload = call.view.store.get('upload', id);
  const isFit = upload?.accountId === accountOf(call).id && (upload.type === 'photo') === (name === 'photo_id');
  if (!upload || !isFit) throw missingObject(id);
  if (upload.postId !== null) throw invalidParameter(`Param ${name} names an object that has been published.`);
  return upload;
}

function addStory(call: EffectCall, upload: UploadObject): Effect {
  const { store, nowMs } = call.view;
  const mediaUrl = upload.fileUrl ?? `https://cdn.pageapp.example/${upload.id}`;
  const { id } = publishPost(call, {
    ...{ number: newContentNumber(), type: 'STORIES', text: null, mediaUrl, objectId: upload.id, visibleAtMs: nowMs },
  });
  store.put({ ...upload, postId: id, publishAtMs: nowMs });
  return { body: { success: true, post_id: id }, madeId: id };
}
