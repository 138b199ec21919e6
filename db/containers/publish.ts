import type { Knex } from 'knex';
import { moveContainer } from './containers.ts';

/** Looked at again within a minute of the call, should its run be gone. */
const PUBLISH_CHECK_MS = 60_000;

/** Claims the one publish that may be under way: true for whoever moves the container from finished to publishing. */
export async function takePublish(db: Knex, { id }: { readonly id: number }): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'publishing',
    nextCheckAt: new Date(Date.now() + PUBLISH_CHECK_MS),
    set: { publish_sent_at: db.raw('clock_timestamp()') },
  });
}

/** The container is published: the post is known, or it never will be. */
export async function recordPublished(
  db: Knex,
  { id, mediaId, permalink = null, detail = null }: Published,
): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'published',
    from: ['publishing'],
    detail,
    set: { media_id: mediaId, permalink },
  });
}

export interface Published {
  readonly id: number;
  readonly mediaId: string | null;
  readonly permalink?: string | null;
  readonly detail?: string | null;
}

/** The container was certainly not published, and may be again later. */
export async function recordUnpublished(
  db: Knex,
  { id, to, detail }: { readonly id: number; readonly to: 'finished' | 'in_progress'; readonly detail: string | null },
): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to,
    from: ['publishing'],
    detail,
    set: { next_check_at: to === 'finished' ? db.ref('expires_at') : new Date(), publish_sent_at: null },
  });
}

/** Gives a container back whose publish got no answer and shows no effect: from here on only a person publishes it. */
export async function releaseToHand(
  db: Knex,
  { id, detail }: { readonly id: number; readonly detail: string },
): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'finished',
    from: ['publishing'],
    detail,
    set: { next_check_at: db.ref('expires_at'), publish_sent_at: null, auto_publish: false },
  });
}

export async function recordPermalink(
  db: Knex,
  { id, permalink }: { readonly id: number; readonly permalink: string },
): Promise<void> {
  await db('media_containers').where({ id }).whereNull('permalink').update({ permalink });
}

/** Which of these posts belong to a container of the channel already. */
export async function attributedPosts(
  db: Knex,
  { channelId, mediaIds }: { readonly channelId: number; readonly mediaIds: readonly string[] },
): Promise<Set<string>> {
  const rows: { media_id: string }[] = await db('media_containers')
    .where({ channel_id: channelId })
    .whereIn('media_id', mediaIds)
    .select('media_id');
  return new Set(rows.map(({ media_id }) => media_id));
}
