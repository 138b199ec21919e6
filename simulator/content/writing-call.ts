import { addComment, addReply, deleteComment, hideComment, setComments } from './comments.ts';
import type { ContentStep } from './control.ts';
import type { Effect, EffectCall } from './effect.ts';
import type { ContentObject } from './objects/store.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';
import { addPhoto, addPost, deletePost } from './pageapp-posts.ts';
import { addVideo, deleteUpload, finishReel, startReel, uploadReel } from './pageapp-videos.ts';

export interface WritingCall {
  /** A reel's phases share an address. */
  readonly stepOf: (parameters: ReadonlyMap<string, string>) => ContentStep;
  readonly perform: (call: EffectCall) => Effect;
}

const writingCalls: Readonly<Record<string, WritingCall>> = {
  'POST photoapp post comments': always('comment', addComment),
  'POST photoapp post': always('comment_setting', setComments),
  'POST photoapp comment replies': always('reply', addReply),
  'POST photoapp comment': always('hide', hideComment),
  'DELETE photoapp comment': always('delete_comment', deleteComment),
  'POST pageapp account feed': always('post', addPost),
  'POST pageapp account photos': always('photo', addPhoto),
  'POST pageapp account videos': always('video', addVideo),
  'POST pageapp account video_reels': {
    stepOf: (parameters) => (parameters.get('upload_phase')?.toLowerCase() === 'start' ? 'reel_start' : 'reel_finish'),
    perform: reelPhase,
  },
  'POST pageapp post comments': always('comment', addComment),
  'DELETE pageapp post': always('delete_post', deletePost),
  'POST pageapp comment comments': always('reply', addReply),
  'POST pageapp comment': always('hide', hideComment),
  'DELETE pageapp comment': always('delete_comment', deleteComment),
  'DELETE pageapp upload': always('delete_post', deleteUpload),
  'UPLOAD pageapp upload': always('reel_upload', uploadReel),
};

/** What a writing call does; undefined where the object has no such call. */
export function writingCallOf(
  { product, kind }: ContentObject,
  { method, edge }: { method: string; edge: string },
): WritingCall | undefined {
  const name = [method, product, kind, ...(edge === '' ? [] : [edge])].join(' ');
  return Object.hasOwn(writingCalls, name) ? writingCalls[name] : undefined;
}

function always(step: ContentStep, perform: WritingCall['perform']): WritingCall {
  return { stepOf: () => step, perform };
}

function reelPhase(call: EffectCall): Effect {
  const phase = call.parameters.get('upload_phase')?.toLowerCase();
  if (phase === 'start') return startReel(call);
  if (phase === 'finish') return finishReel(call);
  throw invalidParameter('Param upload_phase must be one of {START, FINISH}.');
}
