import type { ApiCall, CallDefinition, Target } from '../scripted-api/api.ts';
import { textParameters } from '../scripted-api/parameters.ts';
import { missingObject } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { addReply, deleteComment, hideComment, setComments } from './comments.ts';
import type { ContentTypes } from './control.ts';
import { insightsOf } from './insights.ts';
import { type GraphNode, presentList, presentNode, readingOf } from './objects/fields.ts';
import { pageCommentNode, pageNode, pagePostNode, uploadNode } from './objects/pageapp-nodes.ts';
import { photoAccountNode, photoCommentNode, photoMediaNode } from './objects/photoapp-nodes.ts';
import type { ContentObject, ContentStore } from './objects/store.ts';
import { messageNode, threadNode } from './objects/thread-nodes.ts';
import { addPhoto, addPost, addVideo, deletePost, uploadReel, writeReel } from './pageapp-posts.ts';
import type { ContentState, Write } from './write.ts';

type Definition = CallDefinition<ContentTypes>;
const UPLOAD_EDGE = '/video-upload';
const UPLOAD = /^\/video-upload\/v\d+\.\d+\/(\d{1,40})$/;

interface WritingCall extends Pick<Definition, 'at' | 'isRaw'> {
  readonly write: (write: Write) => Effect;
}

/** Keys: method, product, kind of object and edge. */
const writingCalls: Readonly<Record<string, WritingCall>> = {
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
  'DELETE pageapp post ': { at: 'delete_post', write: deletePost },
  'POST pageapp comment comments': { at: 'reply', write: addReply },
  'POST pageapp comment ': { at: 'hide', write: hideComment },
  'DELETE pageapp comment ': { at: 'delete_comment', write: deleteComment },
  [`POST pageapp upload ${UPLOAD_EDGE}`]: { at: 'reel_upload', isRaw: true, write: uploadReel },
};

/** Returns the address of the upload of a reel, which is at another path than objects. */
export function uploadAddress(pathname: string) {
  const [, id] = UPLOAD.exec(pathname) ?? [];
  return id === undefined ? undefined : { id, edge: UPLOAD_EDGE };
}

/** Refuses what the object does not have. */
export function contentCall(state: ContentState, target: Target): Definition {
  const object = state.store.find(target.id);
  const refuse = (): never => {
    throw missingObject(target.id);
  };
  const unknown: Definition = { at: 'unknown', perform: refuse };
  if (!object) return unknown;
  return (target.method === 'GET' ? readingCall(state, object, target) : writingCall(state, object, target)) ?? unknown;
}

function readingCall(
  { store, script, nowMs }: ContentState,
  object: ContentObject,
  { edge }: Target,
): Definition | undefined {
  if (edge === '')
    return { at: 'read', perform: (call) => ({ body: presentNode(nodeOf(store, object), readingOf(call)) }) };
  if (edge === (object.kind === 'upload' ? 'video_insights' : 'insights')) {
    const perform = ({ parameters }: ApiCall<ContentTypes>): Effect => {
      const { insights: overrides } = script.settings();
      return { body: insightsOf(object, { parameters: textParameters(parameters), nowMs: nowMs(), overrides }) };
    };
    return { at: 'insights', perform };
  }
  const node = nodeOf(store, object);
  if (!Object.hasOwn(node.edges ?? {}, edge)) return undefined;
  return { at: 'list', perform: (call) => ({ body: presentList(node, edge, readingOf(call)) }) };
}

function writingCall(state: ContentState, object: ContentObject, { method, edge }: Target): Definition | undefined {
  const key = [method, object.product, object.kind, edge].join(' ');
  const found = Object.hasOwn(writingCalls, key) ? writingCalls[key] : undefined;
  if (!found) return undefined;
  const { write, ...definition } = found;
  const perform = (call: ApiCall<ContentTypes>): Effect =>
    write({ ...state, nowMs: state.nowMs(), call, object, parameters: textParameters(call.parameters) });
  return { ...definition, perform };
}

function nodeOf(store: ContentStore, object: ContentObject): GraphNode {
  const isPhoto = object.product === 'photoapp';
  switch (object.kind) {
    case 'account':
      return isPhoto ? photoAccountNode(store, object) : pageNode(store, object);
    case 'post':
      return isPhoto ? photoMediaNode(store, object) : pagePostNode(store, object);
    case 'comment':
      return isPhoto ? photoCommentNode(store, object) : pageCommentNode(store, object);
    case 'thread':
      return threadNode(store, object);
    case 'message':
      return messageNode(store, object);
    case 'upload':
      return uploadNode(store, object);
  }
}
