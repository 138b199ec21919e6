import type { Knex } from 'knex';
import type { ScheduledPostStatus } from '../../../contract/containers/scheduled-post.ts';
import {
  findScheduledPost,
  insertScheduledPost,
  type ScheduledPostRecord,
} from '../../../db/containers/scheduled-posts.ts';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { testAudit } from '../audit.ts';
import type { TestChannel } from '../tenants.ts';
import { imageBody } from './containers.ts';

export interface SamplePost {
  readonly channel: TestChannel;
  readonly workspace: { readonly id: number };
  /** Optional. Default: a second ago. */
  readonly publishAt?: Date;
  /** Optional. Default: a key. */
  readonly createdBy?: string;
  readonly status?: ScheduledPostStatus;
  /** Optional. Default: an image. */
  readonly body?: object;
}

export async function aScheduledPost(db: Knex, sample: SamplePost): Promise<ScheduledPostRecord> {
  const { channel, workspace, status = 'scheduled', body = imageBody } = sample;
  const { publishAt = new Date(Date.now() - 1_000), createdBy = 'key_00000001' } = sample;
  const inserted = await insertScheduledPost(db, {
    ...{ channelId: channel.id, workspaceId: workspace.id, createdBy, publishAt, keyHash: null },
    ...{ input: containerInput.parse(body), requestHash: Buffer.alloc(32, 'a'), audit: testAudit },
  });
  if (!('publicId' in inserted)) throw new Error(inserted.outcome);
  const { publicId } = inserted;
  const hasEnded = status === 'failed' || status === 'cancelled';
  await db('scheduled_posts')
    .where({ public_id: publicId })
    .update({
      status,
      ...(status === 'started' && { container_public_id: 'ctr_00000000' }),
      ...(hasEnded && { ended_at: new Date(), input: null }),
    });
  return await readPost(db, { channel, workspace, publicId });
}

export async function readPost(
  db: Knex,
  { channel, workspace, publicId }: Pick<SamplePost, 'channel' | 'workspace'> & { readonly publicId: string },
): Promise<ScheduledPostRecord> {
  const post = await findScheduledPost(db, { publicId, channelId: channel.id, workspaceId: workspace.id });
  if (!post) throw new Error(`No post ${publicId}`);
  return post;
}
