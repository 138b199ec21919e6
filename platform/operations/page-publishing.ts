import { z } from 'zod';
import type { PagePostInput, PageReelInput } from '../../openapi/operations/pageapp-schema.ts';
import type { AccountClient } from './account-client.ts';
import { id, optionalId, success, text } from './answer-fields.ts';
import { requireOwnPost } from './require-own.ts';

export interface PublishedPost {
  readonly postId: string;
  /** The photo, video or reel; null for a text post. */
  readonly mediaId: string | null;
}

const idAnswer = z.object({ id });

/** Never retried. */
export async function publishPagePost(client: AccountClient, post: PagePostInput): Promise<PublishedPost> {
  switch (post.kind) {
    case 'text':
    case 'link':
      return await publishText(client, post);
    case 'photo':
      return await publishPhoto(client, post);
    case 'video':
      return await publishVideo(client, post);
  }
}

async function publishText(client: AccountClient, { message, link }: PagePostInput): Promise<PublishedPost> {
  const form = { ...(message !== undefined && { message }), ...(link !== undefined && { link }) };
  const { id: postId } = await client.write(idAnswer, { path: [client.resourceId, 'feed'], form });
  return { postId: postIdOf(client, postId), mediaId: null };
}

async function publishPhoto(client: AccountClient, { message, mediaUrl }: PagePostInput): Promise<PublishedPost> {
  const form = { url: mediaUrl ?? '', ...(message !== undefined && { message }) };
  const answer = idAnswer.extend({ post_id: optionalId });
  const { id: mediaId, post_id: postId } = await client.write(answer, { path: [client.resourceId, 'photos'], form });
  return { postId: postIdOf(client, postId ?? mediaId), mediaId };
}

/** The platform returns only the video's id. Its post has the same number. */
async function publishVideo(client: AccountClient, { mediaUrl, description }: PagePostInput): Promise<PublishedPost> {
  const form = { file_url: mediaUrl ?? '', ...(description !== undefined && { description }) };
  const { id: mediaId } = await client.write(idAnswer, { path: [client.resourceId, 'videos'], form });
  return { postId: postIdOf(client, mediaId), mediaId };
}

const started = z.object({ video_id: id, upload_url: text });
const finished = success.extend({ post_id: optionalId });

/** The reel is invisible before the finish, so only a missing response to the finish leaves the outcome unknown. */
export async function publishReel(client: AccountClient, reel: PageReelInput): Promise<PublishedPost> {
  const path = [client.resourceId, 'video_reels'];
  const { video_id: mediaId, upload_url: uploadUrl } = await client.prepare(started, {
    path,
    form: { upload_phase: 'start' },
  });
  await client.transfer(success, {
    path: ['video-upload', mediaId],
    address: client.address(uploadUrl ?? ''),
    headers: { file_url: reel.videoUrl },
    scheme: 'OAuth',
  });
  const { description } = reel;
  const form = {
    upload_phase: 'finish',
    video_id: mediaId,
    video_state: 'PUBLISHED',
    ...(description !== undefined && { description }),
  };
  const { post_id: postId } = await client.write(finished, { path, form });
  return { postId: postIdOf(client, postId ?? mediaId), mediaId };
}

export async function deletePagePost(client: AccountClient, postId: string): Promise<void> {
  await requireOwnPost(client, postId);
  await client.write(success, { method: 'DELETE', path: [postId] });
}

/** The platform sometimes omits the Page's prefix. */
function postIdOf({ resourceId }: AccountClient, postId: string): string {
  return postId.includes('_') ? postId : `${resourceId}_${postId}`;
}
