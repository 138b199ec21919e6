import type { Knex } from 'knex';
import { raw } from 'objection';
import { type AuditContext, recordAudit, type RequesterColumns, requesterColumns } from '../audit/record-audit.ts';
import { insertWithFreshId, listAfter, type PageAfter, type RowOf } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { requestStarts } from '../core/request-start.ts';
import { ChannelModel } from '../models/channel.ts';
import { WebhookRolloutModel } from '../models/default-webhook.ts';
import {
  type DefaultOwner,
  findDefaultWebhook,
  findEffectiveDefault,
  lockOwner,
  type OwnerKey,
} from './default-webhooks.ts';

export interface RolloutRecord extends RowOf<WebhookRolloutModel> {
  readonly workspacePublicId: string | null;
  readonly webhookUrl: string;
  /** Null unless a new channel gets the default. */
  readonly channelPublicId: string | null;
}

function selectRollouts(db: Knex) {
  return WebhookRolloutModel.query(db)
    .joinRelated('defaultWebhook')
    .leftJoinRelated('[workspace, channel]')
    .select('webhook_rollouts.*', 'workspace.public_id as workspace_public_id')
    .select('channel.public_id as channel_public_id', 'defaultWebhook.url as webhook_url');
}

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
  const { organizationId, workspaceId, dryRun, replaceOwn, key, audit } = rollout;
  return await db.transaction(async (trx): Promise<CreatedRollout> => {
    await lockOwner(trx, { organizationId, workspaceId: null });
    await lockOwner(trx, rollout);
    const keyed = await findKeyed(trx, rollout);
    if (keyed) return keyed;
    const running = await WebhookRolloutModel.query(trx).findOne({
      organization_id: organizationId,
      workspace_id: workspaceId,
      status: 'running',
      channel_id: null,
    });
    if (running) return { outcome: 'running', rolloutId: running.publicId };
    const current = await findDefaultWebhook(trx, rollout);
    if (!current) return { outcome: 'not_set' };
    const publicId = await insertRollout(trx, {
      organizationId,
      workspaceId,
      dryRun,
      replaceOwn,
      defaultWebhookId: current.id,
      idempotencyKeyHash: key?.keyHash ?? null,
      requestHash: key?.requestHash ?? null,
      ...requesterColumns(audit),
    });
    const action = dryRun ? 'webhookRollout.tried' : 'webhookRollout.started';
    await recordAudit(trx, { ...audit, action, targetId: publicId, reason: replaceOwn ? 'replaceOwn' : null });
    return { outcome: 'created', rollout: (await findRollout(trx, publicId))! };
  });
}

async function findKeyed(trx: Knex, { organizationId, key }: NewRollout): Promise<CreatedRollout | undefined> {
  if (key === null) return undefined;
  const known = await WebhookRolloutModel.query(trx)
    .select('public_id', 'request_hash')
    .findOne({ organization_id: organizationId, idempotency_key_hash: key.keyHash });
  if (!known) return undefined;
  if (!known.requestHash?.equals(key.requestHash)) return { outcome: 'key_reused' };
  return { outcome: 'repeated', rollout: (await findRollout(trx, known.publicId))! };
}

type RolloutRow = OwnerKey & RequesterColumns & Partial<RowOf<WebhookRolloutModel>>;

/** The API starts a rollout itself, right after its commit; the admin command does not. */
const OWN_START_MS = 2_000;

async function insertRollout(trx: Knex, row: RolloutRow): Promise<string> {
  const covered = ChannelModel.query(trx)
    .joinRelated('workspace')
    .whereNull('channels.disconnected_at')
    .where({ 'workspace.organization_id': row.organizationId, 'workspace.deleted_at': null })
    .select(raw('count(*)::int as total'), raw('coalesce(max(channels.id), 0) as last_channel_id'));
  if (row.workspaceId !== null) covered.where({ 'workspace.id': row.workspaceId });
  if (row.channelId !== undefined) covered.where({ 'channels.id': row.channelId });
  const [counted] = await covered.castTo<Pick<RolloutRecord, 'total' | 'lastChannelId'>[]>();
  const values = { ...row, ...counted };
  const { publicId } = await insertWithFreshId(trx, WebhookRolloutModel, { kind: 'webhookRollout', values });
  await requestStarts(trx, { type: 'rollOutWebhook', subjectIds: [publicId], delayMs: OWN_START_MS });
  return publicId;
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
    channelId,
    retryCount,
    ...requesterColumns({ actor: { type: 'system', id: 'default-webhook' } }),
  });
}

/**
 * Plans another rollout for the new channel of a rollout that failed, once its retry is due. Returns false if none is
 * due. Repeating it plans none twice.
 */
export async function retryRollout(db: Knex, publicId: string): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const [due] = await queryRows<Required<NewChannel> & { readonly isConnected: boolean }>(
      trx,
      `update webhook_rollouts r set retry_at = null from channels c
       where c.id = r.channel_id and r.public_id = :publicId and r.retry_at <= now()
       returning c.disconnected_at is null as "isConnected", c.id as "channelId", c.workspace_id as "workspaceId",
         r.retry_count + 1 as "retryCount"`,
      { publicId },
    );
    if (!due?.isConnected) return false;
    // The new rollout skips a channel that has a webhook by now.
    await planDefaultOfChannel(trx, due);
    return true;
  });
}

export async function findRollout(db: Knex, publicId: string): Promise<RolloutRecord | undefined> {
  return await selectRollouts(db)
    .findOne({ 'webhook_rollouts.public_id': publicId })
    .castTo<RolloutRecord | undefined>();
}

export async function listRollouts(
  db: Knex,
  { organizationId, workspaceId, ...page }: OwnerKey & PageAfter,
): Promise<RolloutRecord[] | undefined> {
  const of = { 'webhook_rollouts.organization_id': organizationId, 'webhook_rollouts.workspace_id': workspaceId };
  return await listAfter(selectRollouts(db), { of, ...page });
}
