import type { Knex } from 'knex';
import {
  CONTAINER_LIFE_MS,
  type ContainerStatus,
  containerStatusesBefore,
  CREATE_DEADLINE_MS,
  finalContainerStatuses,
} from '../../contract/containers/status.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { type ContainerRecord, findContainerByKey, loadContainer } from './records.ts';

export interface NewContainer {
  readonly channelId: number;
  readonly workspaceId: number;
  readonly request: ContainerInput;
  readonly requestHash: Buffer;
  readonly idempotency: { readonly keyHash: Buffer } | null;
}

export interface InsertedContainer {
  /** `known`: the idempotency key has made it before. */
  readonly kind: 'created' | 'known';
  readonly container: ContainerRecord;
  readonly sameRequest: boolean;
}

/** Stores what is to be made at the platform before anything is sent; a known idempotency key stores nothing. */
export async function insertContainer(db: Knex, container: NewContainer): Promise<InsertedContainer> {
  for (;;) {
    const known = container.idempotency && (await findContainerByKey(db, { ...container, ...container.idempotency }));
    if (known) return { kind: 'known', container: known, sameRequest: known.requestHash.equals(container.requestHash) };
    const publicId = await db.transaction((trx) => insertRows(trx, container));
    // Taken by another request with the same key in this moment; it is there now, unless it was given up since.
    if (publicId === undefined) continue;
    const created = await loadContainer(db, publicId);
    if (!created) throw new Error(`No container ${publicId}`);
    return { kind: 'created', container: created, sameRequest: true };
  }
}

async function insertRows(trx: Knex, container: NewContainer): Promise<string | undefined> {
  const childCount = container.request.children?.length ?? 0;
  const inserted = await withFreshId('container', async (publicId) => {
    const { rows } = await trx.raw<{ rows: { id: number }[] }>(
      `insert into media_containers (public_id, channel_id, workspace_id, media_type, request, child_count, auto_publish,
         idempotency_key_hash, request_hash, create_by, next_check_at, expires_at)
       select :publicId, :channelId, :workspaceId, :mediaType, cast(:request as jsonb), cast(:childCount as smallint), :autoPublish,
         :keyHash, :requestHash, t.create_by, t.create_by, clock_timestamp() + :lifeMs * interval '1 millisecond'
       from (select clock_timestamp() + :createMs * interval '1 millisecond' as create_by) t
       on conflict do nothing returning id`,
      {
        publicId,
        channelId: container.channelId,
        workspaceId: container.workspaceId,
        mediaType: container.request.mediaType,
        request: JSON.stringify(container.request),
        childCount,
        autoPublish: container.request.autoPublish ?? false,
        keyHash: container.idempotency?.keyHash ?? null,
        requestHash: container.requestHash,
        createMs: CREATE_DEADLINE_MS,
        lifeMs: CONTAINER_LIFE_MS,
      },
    );
    if (rows[0]) return { id: rows[0].id, publicId };
    return (await isKeyTaken(trx, container)) ? { id: null, publicId } : undefined;
  });
  if (inserted.id === null) return undefined;
  await trx.raw(
    'insert into container_parts (container_id, position) select ?, position from generate_series(0, ?) position',
    [inserted.id, childCount],
  );
  return inserted.publicId;
}

/** Tells a taken idempotency key from a taken id: both make the insert do nothing. */
async function isKeyTaken(trx: Knex, { channelId, idempotency }: NewContainer): Promise<boolean> {
  if (!idempotency) return false;
  const row = await trx('media_containers')
    .where({ channel_id: channelId, idempotency_key_hash: idempotency.keyHash })
    .first('id');
  return row !== undefined;
}

/**
 * Gives a create up that no workflow took: what was not sent never goes, and the idempotency key is free for another
 * try. False when something has left for the platform after all.
 */
export async function abandonCreate(db: Knex, { id }: { readonly id: number }): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { sent: boolean }[] }>(
      // Their locks: a part that is being claimed in this moment is waited for, and found sent.
      `select p.sent_at is not null as sent from container_parts p where p.container_id = ? order by p.position for update`,
      [id],
    );
    if (rows.some(({ sent }) => sent)) return false;
    await trx('container_parts').where({ container_id: id }).whereNull('outcome').update({ outcome: 'not_sent' });
    const detail = 'Not sent: the workflow could not be started.';
    if (!(await moveContainer(trx, { id, to: 'error', from: ['creating'], detail }))) return false;
    await trx('media_containers').where({ id }).update({ idempotency_key_hash: null });
    return true;
  });
}

export interface ContainerMove {
  readonly id: number;
  readonly to: ContainerStatus;
  readonly detail?: string | null;
  /** Only from these, of those that the transition table allows. */
  readonly from?: readonly ContainerStatus[];
  readonly nextCheckAt?: Date | null;
  /** Sets what else the move brings with it. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Moves a container along a declared transition; a lost race changes nothing and says so. */
export async function moveContainer(db: Knex, move: ContainerMove): Promise<boolean> {
  const { id, to, from, detail = null } = move;
  const allowed = containerStatusesBefore(to).filter((status) => from === undefined || from.includes(status));
  const isFinal = finalContainerStatuses.includes(to);
  const count = await db('media_containers')
    .where({ id })
    .whereIn('status', allowed)
    // An `unknown` that has ended stays so, unlike one that waits for its end.
    .whereNull('ended_at')
    .update({
      status: to,
      status_detail: detail,
      ...(move.nextCheckAt !== undefined && { next_check_at: move.nextCheckAt }),
      ...(isFinal && { ended_at: db.fn.now(), next_check_at: null }),
      ...(to === 'published' && { published_at: db.fn.now() }),
      ...move.set,
    });
  return count === 1;
}

/** Ends a container whose publish nobody could clear up: what cannot be known any more stays unknown. */
export async function endUnknown(db: Knex, { id, detail }: { id: number; detail: string }): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'unknown',
    from: ['publishing'],
    detail,
    nextCheckAt: null,
    set: { ended_at: db.fn.now() },
  });
}
