import type { Effect } from '../scripted-api/settle.ts';
import { accountOf, authorOf, objectOf, requiredFlag, requiredText, type EffectCall } from './effect-call.ts';
import { newContentNumber, lastNumberOf, type CommentObject } from './objects/store.ts';
import { commentItem } from './webhook-items.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';

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

function writeComment(call: EffectCall, place: Pick<CommentObject, 'postId' | 'parentId'>): Effect {
  const { view, object } = call;
  const { product, accountId } = object;
  const number = newContentNumber();
  const comment = view.store.put<CommentObject>({
    kind: 'comment',
    product,
    accountId,
    ...place,
    id: product === 'photoapp' ? number : `${lastNumberOf(place.postId)}_${number}`,
    from: authorOf(accountOf(call)),
    text: requiredText(call, 'message'),
    createdAtMs: view.nowMs,
    isHidden: false,
  });
  call.report(commentItem(comment, { atMs: view.nowMs }));
  return { body: { id: comment.id }, madeId: comment.id };
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
  call.report(commentItem(comment, { verb, atMs: call.view.nowMs }));
}

export function setComments(call: EffectCall): Effect {
  const post = objectOf(call, 'post');
  call.view.store.put({ ...post, isCommentEnabled: requiredFlag(call, 'comment_enabled') });
  return { body: { success: true } };
}
