import type { Knex } from 'knex';
import type { PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import { moveContainer } from './containers.ts';

export interface PartKey {
  /** The container's row. */
  readonly id: number;
  readonly position: number;
}

/**
 * Claims the one call that makes this part. True once at most: whoever comes later, or too late, or after the container
 * has ended, must not send. A carousel's parent has until the container expires, everything else until `create_by`.
 */
export async function takePart(db: Knex, { id, position }: PartKey): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update container_parts p set sent_at = clock_timestamp()
     from media_containers m
     where m.id = p.container_id and p.container_id = ? and p.position = ? and p.sent_at is null and p.outcome is null
       and m.status = 'creating'
       and clock_timestamp() < case when p.position = 0 and m.child_count > 0 then m.expires_at else m.create_by end
     returning p.position`,
    [id, position],
  );
  return rows.length === 1;
}

export interface PartAnswer extends PartKey {
  readonly outcome: PartOutcome;
  readonly platformId?: string;
  /** For people, where it was not accepted. */
  readonly detail?: string;
}

/** Writes down what came of the call, once, and what it means for the container. */
export async function recordPart(db: Knex, answer: PartAnswer): Promise<void> {
  const { id, position, outcome, platformId = null, detail = null } = answer;
  await db.transaction(async (trx) => {
    const count = await trx('container_parts')
      .where({ container_id: id, position })
      .whereNull('outcome')
      .update({ outcome, platform_id: platformId, ...(outcome === 'accepted' && { state: 'in_progress' }) });
    if (count === 0) return;
    switch (outcome) {
      case 'accepted':
        if (position === 0) await moveContainer(trx, { id, to: 'in_progress', nextCheckAt: new Date() });
        return;
      case 'rejected':
      case 'not_sent':
        await moveContainer(trx, { id, to: 'error', detail });
        return;
      case 'lost':
        await moveContainer(trx, { id, to: 'unknown', detail });
        await trx('media_containers')
          .where({ id, status: 'unknown' })
          .update({ next_check_at: trx.ref('expires_at') });
        return;
    }
  });
}

/**
 * Ends the wait for a part whose call nobody carries any more: what was sent is lost, what was not never goes, for the
 * reason that is given.
 */
export async function settlePart(
  db: Knex,
  { id, position, reason }: PartKey & { readonly reason?: string },
): Promise<void> {
  await db.transaction(async (trx) => {
    // Claimed by nobody from here on; a call that is claimed in this moment is found lost below.
    const unsent = await trx('container_parts')
      .where({ container_id: id, position })
      .whereNull('outcome')
      .whereNull('sent_at')
      .update({ outcome: 'not_sent' });
    if (unsent === 1) {
      const detail = reason ?? `${nameOfPart(position)} was not sent to the platform.`;
      await moveContainer(trx, { id, to: 'error', detail });
      return;
    }
    await recordPart(trx, { id, position, outcome: 'lost', detail: lostDetail(position) });
  });
}

/** How people are told which piece it is: a carousel's children count from 0, as in the request. */
export function nameOfPart(position: number): string {
  return position === 0 ? 'The container' : `children[${position - 1}]`;
}

export function lostDetail(position: number): string {
  return (
    `${nameOfPart(position)} was sent to the platform, and the answer was lost. The platform offers no way to find it ` +
    'again, and nothing was published. Look at the account before you create it anew.'
  );
}

export interface Look extends PartKey {
  readonly state: PlatformContainerState;
  readonly detail: string | null;
  /** When it is looked at again, should it still be in progress. */
  readonly nextCheckAt: Date;
}

/** Writes down how far the platform is with a part, and what that means for the container. */
export async function recordLook(db: Knex, { id, position, state, detail, nextCheckAt }: Look): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('container_parts').where({ container_id: id, position }).update({ state });
    await trx('media_containers')
      .where({ id })
      .whereNull('ended_at')
      .update({ checked_at: trx.fn.now(), ...(state === 'in_progress' && { next_check_at: nextCheckAt }) });
    if (position > 0) {
      const failed = state === 'error' || state === 'expired';
      if (failed) await moveContainer(trx, { id, to: state, detail: `${nameOfPart(position)}: ${detail ?? state}` });
      return;
    }
    switch (state) {
      case 'in_progress':
        return;
      case 'finished':
        await moveContainer(trx, { id, to: 'finished', from: ['in_progress'] });
        await trx('media_containers')
          .where({ id, status: 'finished' })
          .update({ next_check_at: trx.ref('expires_at') });
        return;
      case 'published':
        await moveContainer(trx, { id, to: 'published', from: ['in_progress', 'finished'], detail });
        return;
      case 'error':
      case 'expired':
        await moveContainer(trx, { id, to: state, from: ['in_progress', 'finished'], detail });
        return;
    }
  });
}

/** When a container is looked at next, after a look that told nothing. */
export async function recordNextCheck(
  db: Knex,
  { id, nextCheckAt }: { readonly id: number; readonly nextCheckAt: Date },
): Promise<void> {
  await db('media_containers').where({ id }).whereNull('ended_at').update({ next_check_at: nextCheckAt });
}
