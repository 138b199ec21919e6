import type { Effect } from '../scripted-api/settle.ts';
import { accountOf, authorOf, objectOf, requiredFlag, requiredText, type EffectCall } from './effect-call.ts';
import { newContentNumber, lastNumberOf, type CommentObject } from './objects/store.ts';
import { commentItem } from './webhook-items.ts';
import { invalidParameter, missingObject } from '../scripted-api/refusals.ts';
import { mentionedComment, mentionedMedia } from './objects/photoapp-nodes.ts';

export function addComment(call: EffectCall): Effect {
  const post = objectOf(call, 'post');
  if (!post.isCommentEnabled) throw invalidParameter('Comments are disabled for this media.');
  return writeComment(call, { postId: post.id, parentId: null });
}

/** A reply to a reply belongs to the top-level comment. */
export function addReply(call: EffectCall): Effect {
  const comment = objectOf(call, 'comment');
  if (comment.isHidden) throw invalidParameter('Hidden comments cannot be replied to.');
  return writeComment(call, { postId: comment.postId, parentId: comment.parentId ?? comment.id });
}

/** Replies to a mention on another account's media. The platform reports the reply to that account only. */
export function addMention(call: EffectCall): Effect {
  const mediaId = requiredText(call, 'media_id');
  const commentId = call.parameters.get('comment_id');
  if (commentId === undefined) mentionedMedia(call.view, accountOf(call), mediaId);
  else mentionedComment(call.view, accountOf(call), commentId);
  const comment = call.view.store.get('comment', commentId ?? '');
  const accountId = call.view.store.get('post', mediaId)?.accountId;
  if (accountId === undefined || (comment && comment.postId !== mediaId)) throw missingObject(mediaId);
  const { id } = storeComment(call, { accountId, postId: mediaId, parentId: comment?.parentId ?? comment?.id ?? null });
  return { body: { id }, madeId: id };
}

function writeComment(call: EffectCall, place: Pick<CommentObject, 'postId' | 'parentId'>): Effect {
  const { view, object, script } = call;
  const comment = storeComment(call, { accountId: object.accountId, ...place });
  call.report(commentItem(comment, { atMs: view.nowMs, shape: script.settings().commentShape }));
  return { body: { id: comment.id }, madeId: comment.id };
}

function storeComment(
  call: EffectCall,
  place: Pick<CommentObject, 'accountId' | 'postId' | 'parentId'>,
): CommentObject {
  const { view, object } = call;
  const text = requiredText(call, 'message');
  const number = newContentNumber();
  return view.store.put({
    kind: 'comment',
    product: object.product,
    ...place,
    id: commentIdOn(object.product, { postId: place.postId, number }),
    from: authorOf(accountOf(call)),
    text,
    createdAtMs: view.nowMs,
    isHidden: false,
  });
}

export function commentIdOn(product: CommentObject['product'], { postId, number }: { postId: string; number: string }) {
  return product === 'photoapp' ? number : `${lastNumberOf(postId)}_${number}`;
}

export function hideComment(call: EffectCall): Effect {
  const comment = objectOf(call, 'comment');
  const isHidden = requiredFlag(call, comment.product === 'photoapp' ? 'hide' : 'is_hidden');
  const isOwn = comment.from.id === comment.accountId;
  if (isHidden && isOwn) throw invalidParameter('Comments of the account itself cannot be hidden.');
  call.view.store.put({ ...comment, isHidden });
  reportChange(call, { comment, verb: isHidden ? 'hide' : 'unhide' });
  return { body: { success: true } };
}

export function deleteComment(call: EffectCall): Effect {
  const comment = objectOf(call, 'comment');
  if (comment.product === 'pageapp' && call.id !== lastNumberOf(comment.id)) {
    throw invalidParameter('Unsupported delete request: the comment has to be named by its own number.');
  }
  call.view.store.remove(comment);
  reportChange(call, { comment, verb: 'remove' });
  return { body: { success: true } };
}

/** Photoapp reports new comments only. */
function reportChange(call: EffectCall, { comment, verb }: { comment: CommentObject; verb: string }): void {
  if (comment.product === 'photoapp') return;
  call.report(commentItem(comment, { verb, atMs: call.view.nowMs, shape: 'changes' }));
}

export function setComments(call: EffectCall): Effect {
  const post = objectOf(call, 'post');
  call.view.store.put({ ...post, isCommentEnabled: requiredFlag(call, 'comment_enabled') });
  return { body: { success: true } };
}
