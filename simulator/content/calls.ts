import type { ApiCall, CallDefinition } from '../scripted-api/api.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { addComment, addReply, deleteComment, hideComment, setComments } from './comments.ts';
import type { EffectCall } from './effect-call.ts';
import { addPhoto, addPost, addVideo, deletePost, uploadReel, writeReel } from './pageapp-posts.ts';
import { readingCall, viewOf, type ContentState } from './reads.ts';
import type { ContentTarget, ContentTypes } from './script.ts';

export const UPLOAD_EDGE = '/video-upload';

interface WritingCall extends Pick<CallDefinition<ContentTypes>, 'at' | 'isRaw'> {
  readonly write: (call: EffectCall) => Effect;
}

/** Keys: method, product, kind of object and edge. */
const writingCalls: Readonly<Record<string, WritingCall>> = {
  'POST photoapp post comments': { at: 'comment', write: addComment },
  'POST photoapp post ': { at: 'comment_setting', write: setComments },
  'POST photoapp comment replies': { at: 'reply', write: addReply },
  'POST photoapp comment ': { at: 'hide', write: hideComment },
  'DELETE photoapp comment ': { at: 'delete_comment', write: deleteComment },
  'POST pageapp account feed': { at: 'post', write: addPost },
  'POST pageapp account photos': { at: 'photo', write: addPhoto },
  'POST pageapp account videos': { at: 'video', write: addVideo },
  'POST pageapp account video_reels': {
    at: (parameters) => (textParameters(parameters).get('upload_phase') === 'start' ? 'reel_start' : 'reel_finish'),
    write: writeReel,
  },
  'POST pageapp post comments': { at: 'comment', write: addComment },
  'DELETE pageapp post ': { at: 'delete_post', write: deletePost },
  'POST pageapp comment comments': { at: 'reply', write: addReply },
  'POST pageapp comment ': { at: 'hide', write: hideComment },
  'DELETE pageapp comment ': { at: 'delete_comment', write: deleteComment },
  [`POST pageapp upload ${UPLOAD_EDGE}`]: { at: 'reel_upload', isRaw: true, write: uploadReel },
};

export function contentCall(state: ContentState, target: ContentTarget): CallDefinition<ContentTypes> | undefined {
  return readingCall(state, target) ?? writingCall(state, target);
}

function writingCall(state: ContentState, target: ContentTarget): CallDefinition<ContentTypes> | undefined {
  const { method, object, edge } = target;
  const key = [method, object.product, object.kind, edge].join(' ');
  const call = Object.hasOwn(writingCalls, key) ? writingCalls[key] : undefined;
  return call && { ...call, perform: (each) => call.write(effectCall(state, each)) };
}

function effectCall(state: ContentState, call: ApiCall<ContentTypes>): EffectCall {
  const { script, report } = state;
  const { target, parameters, token, origin } = call;
  const { id, object, request } = target;
  const { file_url: header } = request.headers;
  const fileUrl = typeof header === 'string' ? header : undefined;
  const upload = { fileUrl, byteCount: parameters.byteCount };
  const view = viewOf(state, token);
  return { view, script, id, object, parameters: textParameters(parameters), origin, upload, report };
}
