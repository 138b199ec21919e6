import type { Knex } from 'knex';
import type { ErasureCounts, ErasureKind, ErasureStatus, ErasureStep } from '../../contract/erasures/erasure.ts';
import { withFreshId } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { requestStarts } from '../core/request-start.ts';

/** Null widens the scope of a sender to all workspaces or channels of the organization. */
export interface ErasureScope {
  readonly organizationId: number;
  readonly kind: ErasureKind;
  readonly eventId: number | null;
  readonly sender: string | null;
  readonly workspaceId: number | null;
  readonly channelId: number | null;
}

export interface ErasureRecord {
  readonly id: number;
  readonly publicId: string;
  readonly kind: ErasureKind;
  readonly eventId: number | null;
  readonly workspacePublicId: string | null;
  readonly channelPublicId: string | null;
  readonly reason: string;
  readonly status: ErasureStatus;
  readonly step: ErasureStep;
  readonly counts: ErasureCounts;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const recordSql = `
select x.id, x.public_id as "publicId", x.kind, x.event_id as "eventId", w.public_id as "workspacePublicId",
  c.public_id as "channelPublicId", x.reason, x.status, x.step, x.counts, x.created_at as "createdAt",
  x.ended_at as "endedAt"
from erasures x left join workspaces w on w.id = x.workspace_id left join channels c on c.id = x.channel_id`;

export async function insertErasure(
  trx: Knex,
  { reason, ...scope }: ErasureScope & { readonly reason: string },
): Promise<string> {
  const id = await withFreshId('erasure', async (publicId) => {
    const [row] = await queryRows<{ public_id: string }>(
      trx,
      `insert into erasures (public_id, organization_id, kind, event_id, sender, workspace_id, channel_id, reason)
       values (:publicId, :organizationId, :kind, :eventId, :sender, :workspaceId, :channelId, :reason)
       on conflict (public_id) do nothing returning public_id`,
      { publicId, reason, ...scope },
    );
    return row?.public_id;
  });
  await requestStarts(trx, { type: 'eraseData', subjectIds: [id] });
  return id;
}

export interface ErasureKey {
  readonly organizationId: number;
  readonly publicId: string;
}

export async function findErasure(db: Knex, key: ErasureKey): Promise<ErasureRecord | undefined> {
  const [found] = await queryRows<ErasureRecord>(
    db,
    `${recordSql} where x.organization_id = :organizationId and x.public_id = :publicId`,
    { ...key },
  );
  return found;
}

/** Returns undefined if the erasure does not exist. */
export async function findErasureOrganization(db: Knex, publicId: string): Promise<number | undefined> {
  const [found] = await queryRows<{ organizationId: number }>(
    db,
    'select organization_id as "organizationId" from erasures where public_id = :publicId',
    { publicId },
  );
  return found?.organizationId;
}

export interface ErasurePage {
  readonly organizationId: number;
  readonly before?: number | undefined;
  readonly limit: number;
}

export async function listErasures(db: Knex, { before, ...page }: ErasurePage): Promise<ErasureRecord[]> {
  return await queryRows<ErasureRecord>(
    db,
    `${recordSql} where x.organization_id = :organizationId
       and (cast(:before as bigint) is null or x.id < cast(:before as bigint))
     order by x.id desc limit :limit`,
    { ...page, before: before ?? null },
  );
}

export async function countOpenErasures(db: Knex, organizationId: number): Promise<number> {
  const [open] = await queryRows<{ count: number }>(
    db,
    `select count(*)::int as count from erasures where organization_id = :organizationId and status <> 'completed'`,
    { organizationId },
  );
  return open!.count;
}
