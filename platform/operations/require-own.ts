import { z } from 'zod';
import { id } from './answer-fields.ts';
import type { AccountClient } from './account-client.ts';

export class NotOwned extends Error {
  override readonly name = 'NotOwned';

  constructor(kind: 'post' | 'comment' | 'media' | 'file' | 'conversation') {
    super(`This ${kind} does not belong to the channel's account.`);
  }
}

const party = z.object({ id }).nullish().catch(null);
const anyObject = z.object({ id, from: party, owner: party });
const pageComment = z.object({ id, object: anyObject });
const photoComment = z.object({ id, media: anyObject });

export async function requireOwnComment(client: AccountClient, commentId: string): Promise<void> {
  const isOwn = client.type === 'pageapp' ? await isOnPage(client, commentId) : await isOnMedia(client, commentId);
  if (!isOwn) throw new NotOwned('comment');
}

async function isOnPage(client: AccountClient, commentId: string): Promise<boolean> {
  const { object } = await client.read(pageComment, { path: [commentId], query: { fields: 'id,object{id,from}' } });
  return isOnPageItself(client, object);
}

async function isOnMedia(client: AccountClient, commentId: string): Promise<boolean> {
  const { media } = await client.read(photoComment, { path: [commentId], query: { fields: 'id,media{id,owner}' } });
  return media.owner?.id === client.resourceId;
}

export async function requireOwnPost(client: AccountClient, postId: string): Promise<void> {
  if (postId.startsWith(`${client.resourceId}_`)) return;
  // Only ids of photos and videos lack the Page's prefix.
  if (postId.includes('_')) throw new NotOwned('post');
  const object = await client.read(anyObject, { path: [postId], query: { fields: 'id,from' } });
  if (!isOnPageItself(client, object)) throw new NotOwned('post');
}

export async function requireOwnMedia(client: AccountClient, mediaId: string): Promise<void> {
  const { owner } = await client.read(anyObject, { path: [mediaId], query: { fields: 'id,owner' } });
  if (owner?.id !== client.resourceId) throw new NotOwned('media');
}

/** The author does not prove the location. A post's id does; photos and videos stay where they were uploaded. */
function isOnPageItself({ resourceId }: AccountClient, object: z.output<typeof anyObject>): boolean {
  return object.id.includes('_') ? object.id.startsWith(`${resourceId}_`) : object.from?.id === resourceId;
}
