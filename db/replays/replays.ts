import type { Knex } from 'knex';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { ReplayMove, ReplayStart, ReplayStatus } from '../../contract/replays/replay.ts';
import { withFreshId } from '../core/model.ts';
import { requestStarts } from '../core/request-start.ts';
import { criteriaBindings, type ReplayCriteria } from './plan.ts';

export interface ReplayRecord {
  readonly id: number;
  readonly publicId: string;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly workspaceId: number | null;
  readonly workspacePublicId: string | null;
  readonly channelPublicId: string | null;
  readonly since: Date;
  readonly until: Date;
  readonly statuses: readonly DeliveryStatus[];
  readonly eventTypes: readonly EventType[] | null;
  readonly destination: string | null;
  readonly channelPublicIds: readonly string[] | null;
  readonly originalDestinations: readonly string[] | null;
  readonly httpStatuses: readonly string[] | null;
  /** Filters whose texts are not kept. */
  readonly selectedBy: readonly string[] | null;
  readonly ratePerSecond: number;
  readonly status: ReplayStatus;
  /** The count at creation until planning ends. */
  readonly matched: number;
  readonly planned: number;
  readonly sent: number;
  /** Planned items whose event was deleted first. */
  readonly missing: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Null while a workflow must exist. */
  readonly runEndedAt: Date | null;
}

export function scopeOf({ channelPublicId, workspacePublicId, organizationPublicId }: ReplayRecord): string {
  if (channelPublicId !== null) return `channel:${channelPublicId}`;
  return workspacePublicId === null ? `organization:${organizationPublicId}` : `workspace:${workspacePublicId}`;
}

export function replayStartOf(replay: ReplayRecord): ReplayStart {
  return {
    replayId: replay.publicId,
    scope: scopeOf(replay),
    workspaceId: replay.workspacePublicId,
    channelId: replay.channelPublicId,
    destination: replay.destination,
    ratePerSecond: replay.ratePerSecond,
  };
}

export interface NewReplay extends ReplayCriteria {
  readonly snapshot: string;
  readonly destination: string | null;
  readonly ratePerSecond: number;
  readonly matched: number;
  /** Optional. Default: true. */
  readonly isCountComplete?: boolean;
  readonly key?: ReplayKey | undefined;
  /** Optional. Whether a customer started it through a portal link. Default: false. */
  readonly byPortal?: boolean;
}

/** The API starts a replay itself, right after its commit. */
const OWN_START_MS = 2_000;

export async function insertReplay(trx: Knex, replay: NewReplay): Promise<string> {
  const { destination, ratePerSecond, matched, key, byPortal = false, ...others } = replay;
  const { isCountComplete = true, ...criteria } = others;
  const id = await withFreshId('replay', async (publicId) => {
    const { rows } = await trx.raw<{ rows: { public_id: string }[] }>(
      `insert into replays (public_id, organization_id, workspace_id, channel_id, since_at, until_at, statuses, event_types,
         destination, destination_slot, rate_per_second, snapshot, matched, idempotency_key_hash, request_hash,
         by_portal, channel_ids, original_destinations, original_destination_ids, http_statuses, selected_by, selected_ids,
         is_count_complete)
       values (:publicId, :organizationId, :workspaceId, :channelId, :since, :until, :statuses, :eventTypes, :destination,
         :destinationSlot, :ratePerSecond, :snapshot, :matched, :keyHash, :requestHash, :byPortal, :channelIds,
         :originalDestinations, :originalDestinationIds, :httpStatuses, :selectedBy, :selectedIds,
         :isCountComplete)
       on conflict (public_id) do nothing returning public_id`,
      {
        ...criteriaBindings(criteria),
        publicId,
        destination,
        ratePerSecond,
        matched,
        byPortal,
        isCountComplete,
        keyHash: key?.keyHash ?? null,
        requestHash: key?.requestHash ?? null,
      },
    );
    return rows[0]?.public_id;
  });
  await requestStarts(trx, { type: 'replayDeliveries', subjectIds: [id], delayMs: OWN_START_MS });
  return id;
}

export async function findReplay(db: Knex, publicId: string): Promise<ReplayRecord | undefined> {
  const { rows } = await db.raw<{ rows: ReplayRecord[] }>(`${recordSql} where r.public_id = ?`, [publicId]);
  return rows[0];
}

export interface ReplayPage {
  readonly organizationId: number;
  /** Null for all workspaces. */
  readonly workspaceId: number | null;
  readonly channelId: number | null;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Returns undefined if `after` does not exist. */
export async function listReplays(db: Knex, page: ReplayPage): Promise<ReplayRecord[] | undefined> {
  const before = page.after === undefined ? undefined : await findReplay(db, page.after);
  if (page.after !== undefined && before?.organizationId !== page.organizationId) return undefined;
  const { rows } = await db.raw<{ rows: ReplayRecord[] }>(
    `${recordSql} where r.organization_id = :organizationId
       and (cast(:workspaceId as bigint) is null or r.workspace_id = cast(:workspaceId as bigint))
       and (cast(:channelId as bigint) is null or r.channel_id = cast(:channelId as bigint))
       and (cast(:last as bigint) is null or r.id < cast(:last as bigint))
     order by r.id desc limit :limit`,
    { ...page, after: null, last: before?.id ?? null },
  );
  return rows;
}

/**
 * Returns undefined if the replay has ended. Once paused or cancelled, it sends nothing more, because each batch checks
 * the row.
 */
export async function moveReplay(
  trx: Knex,
  { publicId, move }: { readonly publicId: string; readonly move: ReplayMove },
): Promise<ReplayRecord | undefined> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(`${moves[move]} returning 1`, [publicId]);
  if (rows.length === 0) return undefined;
  await requestStarts(trx, { type: 'replayDeliveries', subjectIds: [publicId], delayMs: OWN_START_MS });
  return await findReplay(trx, publicId);
}

const moves: Readonly<Record<ReplayMove, string>> = {
  pause: `update replays set status = 'paused', progressed_at = now()
          where public_id = ? and status in ('planning', 'running', 'paused')`,
  resume: `update replays
           set status = case when status <> 'paused' then status when planned_at is null then 'planning' else 'running' end,
             progressed_at = now()
           where public_id = ? and status in ('planning', 'running', 'paused')`,
  cancel: `update replays
           set status = 'cancelled', ended_at = coalesce(ended_at, now()), progressed_at = now()
           where public_id = ? and status in ('planning', 'running', 'paused', 'cancelled')`,
};

/** Returns false if items remain or the replay is not running. */
export async function completeReplay(db: Knex, publicId: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update replays r set status = 'completed', ended_at = now(), progressed_at = now()
     where r.public_id = ? and r.status = 'running'
       and not exists (select from replay_items i where i.replay_id = r.id and i.done_at is null)
     returning 1`,
    [publicId],
  );
  return rows.length === 1;
}

export async function touchReplay(db: Knex, publicId: string): Promise<void> {
  await db('replays').where({ public_id: publicId }).update({ progressed_at: db.fn.now() });
}

export async function closeReplayRun(db: Knex, publicId: string): Promise<void> {
  await db('replays')
    .where({ public_id: publicId })
    .whereNotNull('ended_at')
    .whereNull('run_ended_at')
    .update({ run_ended_at: db.fn.now() });
}

const recordSql = `
select r.id, r.public_id as "publicId", r.organization_id as "organizationId", o.public_id as "organizationPublicId",
  r.workspace_id as "workspaceId", w.public_id as "workspacePublicId", c.public_id as "channelPublicId",
  r.since_at as since, r.until_at as until, r.statuses, r.event_types as "eventTypes", r.destination,
  case when r.channel_ids is not null then array(
    select one.public_id from channels one where one.id = any (r.channel_ids) order by one.id) end as "channelPublicIds",
  r.original_destinations as "originalDestinations", r.http_statuses as "httpStatuses", r.selected_by as "selectedBy",
  r.rate_per_second as "ratePerSecond", r.status,
  case when r.planned_at is null then r.matched else r.planned end as matched, r.planned, r.sent, r.missing,
  r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt",
  r.run_ended_at as "runEndedAt"
from replays r
join organizations o on o.id = r.organization_id
left join workspaces w on w.id = r.workspace_id
left join channels c on c.id = r.channel_id`;

export interface ReplayProgress {
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

export async function countReplayed(
  db: Knex,
  replayIds: readonly number[],
): Promise<ReadonlyMap<number, ReplayProgress>> {
  if (replayIds.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: (ReplayProgress & { replayId: number })[] }>(
    `select i.replay_id as "replayId",
       count(*) filter (where d.status = 'delivered')::int as delivered,
       count(*) filter (where d.status in ('exhausted', 'cancelled', 'skipped'))::int as failed,
       count(*) filter (where d.status in ('pending', 'retrying'))::int as waiting
     from replay_items i join deliveries d on d.id = i.delivery_id
     where i.replay_id = any (?) group by i.replay_id`,
    [[...replayIds]],
  );
  return new Map(rows.map(({ replayId, ...counts }) => [replayId, counts]));
}

export interface ReplayKey {
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
}

export type KeyedReplay =
  | {
      readonly outcome: 'repeated';
      readonly replayId: string;
      readonly matched: number;
      readonly isCountComplete: boolean;
    }
  | { readonly outcome: 'key_reused' };

/** Returns undefined if the key is new. */
export async function findKeyedReplay(
  db: Knex,
  { organizationId, key }: { readonly organizationId: number; readonly key: ReplayKey },
): Promise<KeyedReplay | undefined> {
  const { rows } = await db.raw<{ rows: KeyedRow[] }>(
    `select public_id, matched, is_count_complete, request_hash
     from replays where organization_id = ? and idempotency_key_hash = ?`,
    [organizationId, key.keyHash],
  );
  const [row] = rows;
  if (!row) return undefined;
  if (!row.request_hash.equals(key.requestHash)) return { outcome: 'key_reused' };
  const { public_id: replayId, matched, is_count_complete: isCountComplete } = row;
  return { outcome: 'repeated', replayId, matched, isCountComplete };
}

interface KeyedRow {
  readonly public_id: string;
  readonly matched: number;
  readonly is_count_complete: boolean;
  readonly request_hash: Buffer;
}

/** Serializes requests with the same key until the transaction ends. */
export async function lockReplayKey(trx: Knex, { keyHash }: ReplayKey): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [REPLAY_KEY_LOCKS, keyHash.readInt32BE()]);
}

/** Arbitrary lock namespace. */
const REPLAY_KEY_LOCKS = 8_140_663;
