import type { Knex } from 'knex';
import { raw, ref } from 'objection';
import { MediaContainerModel } from '../models/media-container.ts';
import { type ContainerRefusal, moveContainer } from './containers.ts';

/** Applies if the publishing run ends without a result. */
const PUBLISH_CHECK_MS = 60_000;

/** Claims the publish, so that exactly one caller sends it. */
export async function takePublish(db: Knex, { id }: { readonly id: number }): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'publishing',
    nextCheckAt: new Date(Date.now() + PUBLISH_CHECK_MS),
    set: { publishSentAt: raw('clock_timestamp()') },
  });
}

/** Also if the response arrives after a person was asked to publish again. */
export async function recordPublished(
  db: Knex,
  { id, mediaId, permalink = null, detail = null }: Published,
): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'published',
    from: ['publishing', 'finished'],
    detail,
    set: { mediaId, permalink },
  });
}

export interface Published {
  readonly id: number;
  readonly mediaId: string | null;
  readonly permalink?: string | null;
  readonly detail?: string | null;
}

export interface Unpublished {
  readonly id: number;
  readonly to: 'finished' | 'in_progress';
  readonly detail: string | null;
  readonly refusal?: ContainerRefusal;
}

/** Requires that the container is known not to have been published. */
export async function recordUnpublished(db: Knex, { id, to, detail, refusal }: Unpublished): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to,
    from: ['publishing'],
    detail,
    refusal,
    set: {
      nextCheckAt: to === 'finished' ? ref('expires_at') : new Date(),
      publishSentAt: null,
      ...(to === 'in_progress' && { tooEarlyAt: raw('clock_timestamp()') }),
    },
  });
}

/** Without a call to publish. */
export async function recordNotPublished(
  db: Knex,
  { id, detail, refusal }: Omit<Unpublished, 'to' | 'refusal'> & { readonly refusal: ContainerRefusal | undefined },
): Promise<void> {
  await MediaContainerModel.query(db)
    .where({ id, status: 'finished' })
    .patch({ statusDetail: detail, refusalCode: refusal?.code ?? null, refusalRetryAt: refusal?.retryAt ?? null });
}

/** After a publish without an answer or a visible effect, only a person may publish. */
export async function requireManualPublish(
  db: Knex,
  { id, detail }: { readonly id: number; readonly detail: string },
): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'finished',
    from: ['publishing'],
    detail,
    set: { nextCheckAt: ref('expires_at'), publishSentAt: null, autoPublish: false },
  });
}

export async function recordPermalink(
  db: Knex,
  { id, permalink }: { readonly id: number; readonly permalink: string },
): Promise<void> {
  await MediaContainerModel.query(db).findById(id).whereNull('permalink').patch({ permalink });
}

export async function attributedPosts(
  db: Knex,
  { channelId, mediaIds }: { readonly channelId: number; readonly mediaIds: readonly string[] },
): Promise<Set<string>> {
  const containers = await MediaContainerModel.query(db)
    .select('media_id')
    .where({ channel_id: channelId })
    .whereIn('media_id', [...mediaIds])
    .castTo<{ readonly mediaId: string }[]>();
  return new Set(containers.map(({ mediaId }) => mediaId));
}
