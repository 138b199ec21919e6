import { z } from 'zod';
import type { CommentAction, PhotoMediaAction } from '../../openapi/operations/photoapp-act-schema.ts';
import type { AccountClient } from './account-client.ts';
import { id, success } from './answer-fields.ts';
import { sendPrivateReply } from './messages.ts';
import { requireOwnComment, requireOwnMedia } from './require-own.ts';

export interface CommentReply {
  readonly replyId: string | null;
  readonly messageId: string | null;
}

export interface ReplyRequest {
  readonly commentId: string;
  readonly text: string;
  readonly isPrivate: boolean;
}

export async function replyToPhotoComment(client: AccountClient, reply: ReplyRequest): Promise<CommentReply> {
  const { commentId, text, isPrivate } = reply;
  await requireOwnComment(client, commentId);
  if (isPrivate) return { replyId: null, ...(await sendPrivateReply(client, { commentId, text })) };
  const form = { message: text };
  const { id: replyId } = await client.write(z.object({ id }), { path: [commentId, 'replies'], form });
  return { replyId, messageId: null };
}

export async function moderatePhotoComment(
  client: AccountClient,
  { commentId, action }: { readonly commentId: string; readonly action: CommentAction },
): Promise<void> {
  await requireOwnComment(client, commentId);
  const path = [commentId];
  if (action === 'delete') await client.write(success, { method: 'DELETE', path });
  else await client.write(success, { path, form: { hide: String(action === 'hide') } });
}

export async function moderatePhotoMedia(
  client: AccountClient,
  { mediaId, action }: { readonly mediaId: string; readonly action: PhotoMediaAction },
): Promise<void> {
  await requireOwnMedia(client, mediaId);
  const form = { comment_enabled: String(action === 'enable_comments') };
  await client.write(success, { path: [mediaId], form });
}
