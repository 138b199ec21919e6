import { z } from 'zod';
import type { CommentAction } from '../../openapi/operations/photoapp-act-schema.ts';
import type { AccountClient } from './account-client.ts';
import { id, success } from './answer-fields.ts';
import { sendPrivateReply } from './messages.ts';
import { requireOwnComment } from './require-own.ts';
import type { CommentReply, ReplyRequest } from './photo-acts.ts';

export async function replyToPageComment(client: AccountClient, reply: ReplyRequest): Promise<CommentReply> {
  const { commentId, text, isPrivate } = reply;
  await requireOwnComment(client, commentId);
  if (isPrivate) return { replyId: null, ...(await sendPrivateReply(client, { commentId, text })) };
  const form = { message: text };
  const { id: replyId } = await client.write(z.object({ id }), { path: [commentId, 'comments'], form });
  return { replyId, messageId: null };
}

export async function moderatePageComment(
  client: AccountClient,
  { commentId, action }: { readonly commentId: string; readonly action: CommentAction },
): Promise<void> {
  await requireOwnComment(client, commentId);
  if (action === 'delete') await client.write(success, { method: 'DELETE', path: [lastNumberOf(commentId)] });
  else await client.write(success, { path: [commentId], form: { is_hidden: String(action === 'hide') } });
}

/** The platform reads comments by both numbers of an id but deletes them by the last. */
function lastNumberOf(commentId: string): string {
  return commentId.slice(commentId.lastIndexOf('_') + 1);
}
