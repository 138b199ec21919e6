import type { Knex } from 'knex';
import { type PartialModelObject, raw } from 'objection';
import {
  CONTAINER_LIFE_MS,
  type ContainerStatus,
  containerStatusesBefore,
  CREATE_DEADLINE_MS,
  finalContainerStatuses,
} from '../../contract/containers/status.ts';
import type { PlatformRefusalCode } from '../../contract/errors.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { withFreshId } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { ContainerPartModel, MediaContainerModel } from '../models/media-container.ts';
import { type ContainerRecord, findContainerByKey, loadContainer } from './records.ts';

export interface NewContainer {
  readonly channelId: number;
  readonly workspaceId: number;
  readonly request: ContainerInput;
  readonly requestHash: Buffer;
  readonly idempotency: { readonly keyHash: Buffer } | null;
  /** Optional. Until when it may be sent to the platform. Default: as long as a request waits. */
  readonly createBy?: Date;
}

/**
 * After a restore, a finished container may have been published since. Has it checked by a new run: the platform is asked
 * before anything is published. Returns the number of containers.
 */
export async function recheckFinished(db: Knex): Promise<number> {
  return await MediaContainerModel.query(db)
    .where({ status: 'finished' satisfies ContainerStatus })
    .patch({ status: 'in_progress', nextCheckAt: new Date() });
}

export interface InsertedContainer {
  readonly kind: 'created' | 'known';
  readonly container: ContainerRecord;
  readonly sameRequest: boolean;
}

/** Must run before anything is sent to the platform. */
export async function insertContainer(db: Knex, container: NewContainer): Promise<InsertedContainer> {
  for (;;) {
    const known = container.idempotency && (await findContainerByKey(db, { ...container, ...container.idempotency }));
    if (known) return { kind: 'known', container: known, sameRequest: known.requestHash.equals(container.requestHash) };
    const publicId = await db.transaction((trx) => insertRows(trx, container));
    // A concurrent request took the key, and may have abandoned its container since.
    if (publicId === undefined) continue;
    const created = await loadContainer(db, publicId);
    if (!created) throw new Error(`Container ${publicId} does not exist`);
    return { kind: 'created', container: created, sameRequest: true };
  }
}

async function insertRows(trx: Knex, container: NewContainer): Promise<string | undefined> {
  const childCount = container.request.children?.length ?? 0;
  const inserted = await withFreshId('container', async (publicId) => {
    const [row] = await queryRows<{ id: number }>(trx, insertSql, {
      publicId,
      channelId: container.channelId,
      workspaceId: container.workspaceId,
      mediaType: container.request.mediaType,
      request: JSON.stringify(container.request),
      childCount,
      autoPublish: container.request.autoPublish ?? false,
      keyHash: container.idempotency?.keyHash ?? null,
      requestHash: container.requestHash,
      createBy: container.createBy ?? null,
      createMs: CREATE_DEADLINE_MS,
      lifeMs: CONTAINER_LIFE_MS,
    });
    if (row) return { id: row.id, publicId };
    return (await isKeyTaken(trx, container)) ? { id: null, publicId } : undefined;
  });
  if (inserted.id === null) return undefined;
  const containerId = inserted.id;
  await ContainerPartModel.query(trx).insert(
    Array.from({ length: childCount + 1 }, (_, position) => ({ containerId, position })),
  );
  return inserted.publicId;
}

const insertSql = `
insert into media_containers (public_id, channel_id, workspace_id, media_type, request, child_count, auto_publish,
  idempotency_key_hash, request_hash, create_by, next_check_at, expires_at)
select :publicId, :channelId, :workspaceId, :mediaType, cast(:request as jsonb), cast(:childCount as smallint), :autoPublish,
  :keyHash, :requestHash, coalesce(cast(:createBy as timestamptz), t.create_by), t.create_by, clock_timestamp() + :lifeMs * interval '1 millisecond'
from (select clock_timestamp() + :createMs * interval '1 millisecond' as create_by) t
on conflict do nothing returning id`;

/** The insert does nothing for a taken idempotency key or id. */
async function isKeyTaken(trx: Knex, { channelId, idempotency }: NewContainer): Promise<boolean> {
  if (!idempotency) return false;
  const container = await MediaContainerModel.query(trx)
    .select('id')
    .findOne({ channel_id: channelId, idempotency_key_hash: idempotency.keyHash });
  return container !== undefined;
}

/** Frees the idempotency key. Returns false if a part was sent. */
export async function abandonCreate(db: Knex, { id }: { readonly id: number }): Promise<boolean> {
  return await db.transaction(async (trx) => {
    // Waits for a claim in progress; its part then counts as sent.
    const parts = await ContainerPartModel.query(trx)
      .select('sent_at')
      .where({ container_id: id })
      .orderBy('position')
      .forUpdate();
    if (parts.some(({ sentAt }) => sentAt !== null)) return false;
    await ContainerPartModel.query(trx).where({ container_id: id }).whereNull('outcome').patch({ outcome: 'not_sent' });
    const detail = 'Not sent: the workflow could not be started.';
    if (!(await moveContainer(trx, { id, to: 'error', from: ['creating'], detail }))) return false;
    await MediaContainerModel.query(trx).findById(id).patch({ idempotencyKeyHash: null });
    return true;
  });
}

/** What a refusal of the platform means. */
export interface ContainerRefusal {
  readonly code: PlatformRefusalCode;
  /** Null if a repeat does not help. */
  readonly retryAt: Date | null;
}

export interface ContainerMove {
  readonly id: number;
  readonly to: ContainerStatus;
  readonly detail?: string | null;
  readonly refusal?: ContainerRefusal | undefined;
  /** Optional. Further restricts the statuses that the transition table allows. */
  readonly from?: readonly ContainerStatus[];
  readonly nextCheckAt?: Date | null;
  readonly set?: PartialModelObject<MediaContainerModel>;
}

/** Changes nothing and returns false if another move came first. */
export async function moveContainer(db: Knex, move: ContainerMove): Promise<boolean> {
  const { id, to, from, detail = null, refusal } = move;
  const allowed = containerStatusesBefore(to).filter((status) => from === undefined || from.includes(status));
  const isFinal = finalContainerStatuses.includes(to);
  const count = await MediaContainerModel.query(db)
    .where({ id })
    .whereIn('status', allowed)
    // An `unknown` container is final only after it has ended.
    .whereNull('ended_at')
    .patch({
      status: to,
      statusDetail: detail,
      refusalCode: refusal?.code ?? null,
      refusalRetryAt: refusal?.retryAt ?? null,
      ...(move.nextCheckAt !== undefined && { nextCheckAt: move.nextCheckAt }),
      ...(isFinal && { endedAt: raw('now()'), nextCheckAt: null }),
      ...(to === 'published' && { publishedAt: raw('now()') }),
      ...move.set,
    });
  return count === 1;
}

export async function endUnknown(db: Knex, { id, detail }: { id: number; detail: string }): Promise<boolean> {
  return await moveContainer(db, {
    id,
    to: 'unknown',
    from: ['publishing'],
    detail,
    nextCheckAt: null,
    set: { endedAt: raw('now()') },
  });
}
