import { invalidParameter } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import { pageappComment, photoappComment } from '../webhooks/accounts.ts';
import { accountOf, objectOf, requiredFlag, requiredText, type Write } from './write.ts';
import { newContentNumber, lastNumberOf, type CommentObject } from './objects/store.ts';

const done: Effect = { body: { success: true } };

/** A reply to a reply belongs to the top-level comment. */
export function addReply(write: Write): Effect {
  const { store, nowMs, report } = write;
  const to = objectOf(write, 'comment');
  if (to.isHidden) throw invalidParameter('Hidden comments cannot be replied to.');
  const { product, accountId, postId } = to;
  const number = newContentNumber();
  const { id: authorId, name, username } = accountOf(write);
  const comment = store.put<CommentObject>({
    kind: 'comment',
    product,
    accountId,
    postId,
    parentId: to.parentId ?? to.id,
    id: product === 'photoapp' ? number : `${lastNumberOf(postId)}_${number}`,
    from: { id: authorId, name: product === 'photoapp' ? (username ?? name) : name },
    text: requiredText(write, 'message'),
    createdAtMs: nowMs,
    isHidden: false,
  });
  const { id, parentId, text } = comment;
  if (product === 'photoapp') {
    const who = { accountId, from: comment.from.id, username: comment.from.name };
    report(photoappComment({ ...who, id, text, mediaId: postId, parentId: parentId!, atMs: nowMs }));
  } else reportChange(write, comment, 'add');
  return { body: { id }, madeId: id };
}

export function hideComment(write: Write): Effect {
  const comment = objectOf(write, 'comment');
  const isHidden = requiredFlag(write, comment.product === 'photoapp' ? 'hide' : 'is_hidden');
  const isOwn = comment.from.id === comment.accountId;
  if (isHidden && isOwn) throw invalidParameter('Comments of the account itself cannot be hidden.');
  write.store.put({ ...comment, isHidden });
  reportChange(write, comment, isHidden ? 'hide' : 'unhide');
  return done;
}

export function deleteComment(write: Write): Effect {
  const comment = objectOf(write, 'comment');
  if (comment.product === 'pageapp' && write.call.target.id !== lastNumberOf(comment.id)) {
    throw invalidParameter('Unsupported delete request: the comment has to be named by its own number.');
  }
  write.store.remove(comment);
  reportChange(write, comment, 'remove');
  return done;
}

/** Photoapp reports new comments only. */
function reportChange({ nowMs: atMs, report }: Write, comment: CommentObject, verb: string): void {
  const { product, accountId: pageId, id, postId, parentId, text, from } = comment;
  if (product === 'photoapp') return;
  const who = { pageId, from: from.id, name: from.name };
  report(pageappComment({ ...who, id, postId, ...(parentId !== null && { parentId }), text, verb, atMs }));
}

export function setComments(write: Write): Effect {
  const post = objectOf(write, 'post');
  write.store.put({ ...post, isCommentEnabled: requiredFlag(write, 'comment_enabled') });
  return done;
}
