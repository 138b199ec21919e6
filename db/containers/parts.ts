import type { Knex } from 'knex';
import { raw, ref } from 'objection';
import type { ContainerStatus, PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import { queryRows } from '../core/query-rows.ts';
import { ContainerPartModel, MediaContainerModel } from '../models/media-container.ts';
import { type ContainerRefusal, moveContainer } from './containers.ts';

export interface PartKey {
  readonly id: number;
  readonly position: number;
}

/**
 * Claims the call that creates this part, so that exactly one caller sends it. The deadline is `create_by`, or the
 * container's expiry for a carousel's parent.
 */
export async function takePart(db: Knex, { id, position }: PartKey): Promise<boolean> {
  const claimed = await queryRows(
    db,
    `update container_parts p set sent_at = clock_timestamp()
     from media_containers m
     where m.id = p.container_id and p.container_id = :id and p.position = :position and p.sent_at is null
       and p.outcome is null and m.status = 'creating'
       and clock_timestamp() < case when p.position = 0 and m.child_count > 0 then m.expires_at else m.create_by end
     returning p.position`,
    { id, position },
  );
  return claimed.length === 1;
}

export interface PartAnswer extends PartKey {
  readonly outcome: PartOutcome;
  readonly platformId?: string;
  readonly detail?: string;
  readonly refusal?: ContainerRefusal;
}

/** A response that arrives late replaces the outcome `lost`. */
export async function recordPart(db: Knex, answer: PartAnswer): Promise<void> {
  const { id, position, outcome, platformId = null, detail = null, refusal } = answer;
  const isResponse = outcome === 'accepted' || outcome === 'rejected';
  await db.transaction(async (trx) => {
    const count = await findPart(trx, answer)
      .where((part) => {
        part.whereNull('outcome');
        if (isResponse) part.orWhere({ outcome: 'lost' });
      })
      .patch({ outcome, platformId, ...(outcome === 'accepted' && { state: 'in_progress' as const }) });
    if (count === 0) return;
    switch (outcome) {
      case 'accepted':
        if (position > 0) await continueCreating(trx, { id });
        else await moveContainer(trx, { id, to: 'in_progress', from: beforeResponse, nextCheckAt: new Date() });
        return;
      case 'rejected':
      case 'not_sent':
        await moveContainer(trx, { id, to: 'error', detail, refusal });
        // A repeat may succeed, so that it must not get this answer again.
        if (refusal?.retryAt) await MediaContainerModel.query(trx).findById(id).patch({ idempotencyKeyHash: null });
        return;
      case 'lost':
        await moveContainer(trx, { id, to: 'unknown', detail });
        await checkAtExpiry(trx, { id, status: 'unknown' });
        return;
    }
  });
}

const beforeResponse: readonly ContainerStatus[] = ['creating', 'unknown'];

/** Continues a carousel that lacked only this response. */
async function continueCreating(trx: Knex, { id }: { readonly id: number }): Promise<void> {
  // Serializes late responses to several children, so that the last one sees the others.
  const container = await MediaContainerModel.query(trx).select('status').findById(id).forUpdate();
  if (container?.status !== 'unknown') return;
  const parts = await ContainerPartModel.query(trx).select('position', 'outcome').where({ container_id: id });
  if (parts.some(({ outcome }) => outcome === 'lost')) return;
  const unsent = parts.find(({ outcome }) => outcome === 'not_sent');
  if (unsent) await moveContainer(trx, { id, to: 'error', detail: unsentDetail(unsent.position) });
  else await moveContainer(trx, { id, to: 'creating', from: ['unknown'], nextCheckAt: new Date() });
}

/** A part that was sent is `lost`; any other is not sent, for the given reason. */
export async function settlePart(
  db: Knex,
  { id, position, reason }: PartKey & { readonly reason?: string },
): Promise<void> {
  await db.transaction(async (trx) => {
    // After this update, no caller can claim the part. A part claimed just before counts as lost.
    const unsentCount = await findPart(trx, { id, position })
      .whereNull('outcome')
      .whereNull('sent_at')
      .patch({ outcome: 'not_sent' });
    if (unsentCount === 1) {
      await moveContainer(trx, { id, to: 'error', from: ['creating'], detail: reason ?? unsentDetail(position) });
      return;
    }
    await recordPart(trx, { id, position, outcome: 'lost', detail: lostDetail(position) });
  });
}

/** Gives the parent of a carousel back, which the platform refused as too early. It can be claimed again. */
export async function releasePart(
  db: Knex,
  { id, detail }: { readonly id: number; readonly detail: string },
): Promise<void> {
  await db.transaction(async (trx) => {
    const count = await findPart(trx, { id, position: 0 }).whereNull('outcome').patch({ sentAt: null });
    if (count === 0) return;
    await MediaContainerModel.query(trx)
      .findById(id)
      .whereNull('ended_at')
      .patch({ tooEarlyAt: raw('clock_timestamp()'), statusDetail: detail });
  });
}

function findPart(trx: Knex, { id, position }: PartKey) {
  return ContainerPartModel.query(trx).where({ container_id: id, position });
}

/** Nothing changes before the container expires at the platform. */
async function checkAtExpiry(trx: Knex, container: { id: number; status: ContainerStatus }): Promise<void> {
  await MediaContainerModel.query(trx)
    .where(container)
    .patch({ nextCheckAt: ref('expires_at') });
}

export function nameOfPart(position: number): string {
  return position === 0 ? 'The container' : `children[${position - 1}]`;
}

function unsentDetail(position: number): string {
  return `${nameOfPart(position)} was not sent to the platform.`;
}

export function lostDetail(position: number): string {
  return (
    `${nameOfPart(position)} was sent to the platform, and the answer was lost. The platform offers no way to find it ` +
    'again, and nothing was published. Check the account before you create it again.'
  );
}

export interface PartCheck extends PartKey {
  readonly state: PlatformContainerState;
  readonly detail: string | null;
  readonly nextCheckAt: Date;
  /** Optional. Of a published container. */
  readonly post?: { readonly id: string; readonly permalink: string | null };
}

export async function recordCheck(db: Knex, check: PartCheck): Promise<void> {
  const { id, position, state, detail, nextCheckAt, post } = check;
  await db.transaction(async (trx) => {
    await findPart(trx, { id, position }).patch({ state });
    await MediaContainerModel.query(trx)
      .findById(id)
      .whereNull('ended_at')
      .patch({ checkedAt: raw('now()'), ...(state === 'in_progress' && { nextCheckAt, statusDetail: null }) });
    if (position > 0) {
      const hasFailed = state === 'error' || state === 'expired';
      if (hasFailed) await moveContainer(trx, { id, to: state, detail: `${nameOfPart(position)}: ${detail ?? state}` });
      return;
    }
    switch (state) {
      case 'in_progress':
        return;
      case 'finished':
        await moveContainer(trx, { id, to: 'finished', from: ['in_progress'] });
        await checkAtExpiry(trx, { id, status: 'finished' });
        return;
      case 'published':
        await moveContainer(trx, {
          id,
          to: 'published',
          from: ['in_progress', 'finished'],
          detail,
          ...(post && { set: { mediaId: post.id, permalink: post.permalink } }),
        });
        return;
      case 'error':
      case 'expired':
        await moveContainer(trx, { id, to: state, from: ['in_progress', 'finished'], detail });
        return;
    }
  });
}

export async function recordNextCheck(
  db: Knex,
  { id, nextCheckAt }: { readonly id: number; readonly nextCheckAt: Date },
): Promise<void> {
  await MediaContainerModel.query(db).findById(id).whereNull('ended_at').patch({ nextCheckAt });
}

/** Says why the platform's state of a container is not known, until a check reads it. */
export async function recordUnreadable(
  db: Knex,
  { id, detail, nextCheckAt }: { readonly id: number; readonly detail: string | null; readonly nextCheckAt: Date },
): Promise<void> {
  await recordNextCheck(db, { id, nextCheckAt });
  await MediaContainerModel.query(db)
    .findById(id)
    .whereIn('status', ['creating', 'in_progress'] satisfies ContainerStatus[])
    .patch({ statusDetail: detail });
}

/** The platform does not show a container that it accepted. A publish finds out whether it is finished. */
export async function recordPublishable(
  db: Knex,
  { id, detail }: { readonly id: number; readonly detail: string },
): Promise<void> {
  await db.transaction(async (trx) => {
    await moveContainer(trx, { id, to: 'finished', from: ['in_progress'], detail });
    await checkAtExpiry(trx, { id, status: 'finished' });
  });
}
