import type { Knex } from 'knex';
import type { RolloutStatus } from '../../contract/webhooks/rollout.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { queryRows } from '../core/query-rows.ts';
import { requestStarts } from '../core/request-start.ts';
import { type DefaultOwner, findEffectiveDefault, lockOwner, requesterOf } from './default-webhooks.ts';

export interface RolloutRecord {
  readonly id: number;
  readonly publicId: string;
  readonly organizationId: number;
  readonly workspaceId: number | null;
  readonly workspacePublicId: string | null;
  readonly webhookUrl: string;
  /** Null unless a new channel gets the default. */
  readonly channelPublicId: string | null;
  readonly dryRun: boolean;
  readonly replaceOwn: boolean;
  readonly status: RolloutStatus;
  readonly total: number;
  readonly applied: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const recordSql = `
select r.id, r.public_id as "publicId", r.organization_id as "organizationId", r.workspace_id as "workspaceId",
  w.public_id as "workspacePublicId", d.url as "webhookUrl", c.public_id as "channelPublicId", r.dry_run as "dryRun",
  r.replace_own as "replaceOwn", r.status, r.total, r.applied, r.unchanged, r.skipped, r.failed,
  r.created_at as "createdAt", r.ended_at as "endedAt"
from webhook_rollouts r
join default_webhooks d on d.id = r.default_webhook_id
left join workspaces w on w.id = r.workspace_id
left join channels c on c.id = r.channel_id`;

export interface RolloutKey {
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
}

export interface NewRollout extends DefaultOwner {
  readonly dryRun: boolean;
  readonly replaceOwn: boolean;
  readonly key: RolloutKey | null;
  readonly audit: AuditContext;
}

export type CreatedRollout =
  | { readonly outcome: 'created' | 'repeated'; readonly rollout: RolloutRecord }
  | { readonly outcome: 'key_reused' | 'not_set' }
  | { readonly outcome: 'running'; readonly rolloutId: string };

/** One rollout of an owner runs at a time. A repeated idempotency key returns the same rollout. */
export async function createRollout(db: Knex, rollout: NewRollout): Promise<CreatedRollout> {
  return await db.transaction(async (trx): Promise<CreatedRollout> => {
    await lockOwner(trx, { organizationId: rollout.organizationId, workspaceId: null });
    await lockOwner(trx, rollout);
    const keyed = await findKeyed(trx, rollout);
    if (keyed) return keyed;
    const running = await findRunning(trx, rollout);
    if (running !== undefined) return { outcome: 'running', rolloutId: running };
    const { organizationId, workspaceId, dryRun, replaceOwn, key, audit } = rollout;
    const [current] = await queryRows<{ id: number }>(
      trx,
      `select id from default_webhooks where organization_id = :organizationId
         and coalesce(workspace_id, 0) = coalesce(cast(:workspaceId as bigint), 0) and status = 'current'`,
      { organizationId, workspaceId },
    );
    if (!current) return { outcome: 'not_set' };
    const publicId = await insertRollout(trx, {
      ...{ organizationId, workspaceId, dryRun, replaceOwn },
      defaultWebhookId: current.id,
      channelId: null,
      keyHash: key?.keyHash ?? null,
      requestHash: key?.requestHash ?? null,
      ...requesterOf(audit),
    });
    const action = dryRun ? 'webhookRollout.tried' : 'webhookRollout.started';
    await recordAudit(trx, { ...audit, action, targetId: publicId, reason: replaceOwn ? 'replaceOwn' : null });
    return { outcome: 'created', rollout: (await findRollout(trx, publicId))! };
  });
}

async function findKeyed(trx: Knex, { organizationId, key }: NewRollout): Promise<CreatedRollout | undefined> {
  if (key === null) return undefined;
  const [row] = await queryRows<{ publicId: string; requestHash: Buffer }>(
    trx,
    `select public_id as "publicId", request_hash as "requestHash" from webhook_rollouts
     where organization_id = :organizationId and idempotency_key_hash = :keyHash`,
    { organizationId, keyHash: key.keyHash },
  );
  if (!row) return undefined;
  if (!row.requestHash.equals(key.requestHash)) return { outcome: 'key_reused' };
  return { outcome: 'repeated', rollout: (await findRollout(trx, row.publicId))! };
}

async function findRunning(trx: Knex, { organizationId, workspaceId }: NewRollout): Promise<string | undefined> {
  const [row] = await queryRows<{ publicId: string }>(
    trx,
    `select public_id as "publicId" from webhook_rollouts
     where organization_id = :organizationId and coalesce(workspace_id, 0) = coalesce(cast(:workspaceId as bigint), 0)
       and status = 'running' and channel_id is null`,
    { organizationId, workspaceId },
  );
  return row?.publicId;
}

interface RolloutRow extends ReturnType<typeof requesterOf> {
  readonly organizationId: number;
  readonly workspaceId: number | null;
  readonly defaultWebhookId: number;
  readonly channelId: number | null;
  readonly dryRun: boolean;
  readonly replaceOwn: boolean;
  readonly keyHash: Buffer | null;
  readonly requestHash: Buffer | null;
  /** Optional. Default: 0. */
  readonly retryCount?: number;
}

/** The API starts a rollout itself, right after its commit; the admin command does not. */
const OWN_START_MS = 2_000;

async function insertRollout(trx: Knex, row: RolloutRow): Promise<string> {
  const id = await withFreshId('webhookRollout', async (publicId) => {
    const [inserted] = await queryRows<{ publicId: string }>(
      trx,
      `with covered as (
         select count(*)::int as total, coalesce(max(c.id), 0) as last from channels c
         join workspaces w on w.id = c.workspace_id and w.deleted_at is null
         where w.organization_id = :organizationId and c.disconnected_at is null
           and (cast(:workspaceId as bigint) is null or w.id = cast(:workspaceId as bigint))
           and (cast(:channelId as bigint) is null or c.id = cast(:channelId as bigint))
       )
       insert into webhook_rollouts (public_id, organization_id, workspace_id, default_webhook_id, channel_id, dry_run,
         replace_own, last_channel_id, total, idempotency_key_hash, request_hash, requested_by_type, requested_by,
         request_id, client_address, retry_count)
       select :publicId, :organizationId, :workspaceId, :defaultWebhookId, :channelId, :dryRun, :replaceOwn, last, total,
         :keyHash, :requestHash, :actorType, :actorId, :requestId, :clientAddress, :retryCount
       from covered
       on conflict (public_id) do nothing returning public_id as "publicId"`,
      { retryCount: 0, ...row, publicId },
    );
    return inserted?.publicId;
  });
  await requestStarts(trx, { type: 'rollOutWebhook', subjectIds: [id], delayMs: OWN_START_MS });
  return id;
}

interface NewChannel {
  readonly channelId: number;
  readonly workspaceId: number;
  /** Optional. Default: 0. */
  readonly retryCount?: number;
}

/** Plans that a new channel gets the default, in the transaction that connects it. A workflow then saves it. */
export async function planDefaultOfChannel(
  trx: Knex,
  { channelId, workspaceId, retryCount = 0 }: NewChannel,
): Promise<void> {
  const effective = await findEffectiveDefault(trx, { workspaceId });
  if (!effective) return;
  await insertRollout(trx, {
    organizationId: effective.organizationId,
    workspaceId: effective.workspaceId,
    defaultWebhookId: effective.id,
    ...{ channelId, retryCount },
    ...{ dryRun: false, replaceOwn: false, keyHash: null, requestHash: null },
    ...{ actorType: 'system', actorId: 'default-webhook', requestId: null, clientAddress: null },
  });
}

export async function findRollout(db: Knex, publicId: string): Promise<RolloutRecord | undefined> {
  const [found] = await queryRows<RolloutRecord>(db, `${recordSql} where r.public_id = :publicId`, { publicId });
  return found;
}

export interface RolloutPageQuery extends Omit<DefaultOwner, 'publicId'> {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Returns undefined if `after` is not in the list. */
export async function listRollouts(db: Knex, page: RolloutPageQuery): Promise<RolloutRecord[] | undefined> {
  const { organizationId, workspaceId, after, limit } = page;
  const last = after === undefined ? undefined : await findRollout(db, after);
  if (after !== undefined && (last?.organizationId !== organizationId || last.workspaceId !== workspaceId)) {
    return undefined;
  }
  return await queryRows<RolloutRecord>(
    db,
    `${recordSql} where r.organization_id = :organizationId
       and coalesce(r.workspace_id, 0) = coalesce(cast(:workspaceId as bigint), 0)
       and (cast(:last as bigint) is null or r.id < cast(:last as bigint))
     order by r.id desc limit :limit`,
    { organizationId, workspaceId, last: last?.id ?? null, limit },
  );
}
