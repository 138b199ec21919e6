import type { Knex } from 'knex';
import { raw } from 'objection';
import { SAVE_DEADLINE_MS } from '../../contract/webhooks/probe.ts';
import type { StagedSave } from '../../contract/webhooks/rollout.ts';
import { contextOfRequester } from '../audit/record-audit.ts';
import type { RowOf } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { WebhookRolloutModel } from '../models/default-webhook.ts';
import type { CandidateStatus } from '../models/webhook-candidate.ts';
import { WebhookConfigModel } from '../models/webhook-config.ts';
import { findCandidate, insertCandidate, recordCandidateFailure } from './candidates.ts';
import { findEffectiveDefault, findStagedDefault, type StagedDefault } from './default-webhooks.ts';
import { insertRolloutResult, type NewResult } from './rollout-runs.ts';

export type OpenRollout = RowOf<WebhookRolloutModel>;

export async function findOpenRollout(db: Knex, publicId: string): Promise<OpenRollout | undefined> {
  return await WebhookRolloutModel.query(db).findOne({ public_id: publicId });
}

/** Returns channels without a result, in the order of their numbers. */
export async function listPendingChannels(
  db: Knex,
  { rollout, after, limit }: { readonly rollout: OpenRollout; readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const { id, organizationId, workspaceId, channelId: ownChannelId, lastChannelId, createdAt } = rollout;
  const rows = await queryRows<{ id: number }>(
    db,
    `select c.id from channels c join workspaces w on w.id = c.workspace_id
     where w.organization_id = :organizationId and c.id > :after and c.id <= :lastChannelId
       and (c.disconnected_at is null or c.disconnected_at > :createdAt)
       and (cast(:workspaceId as bigint) is null or w.id = cast(:workspaceId as bigint))
       and (cast(:ownChannelId as bigint) is null or c.id = cast(:ownChannelId as bigint))
       and not exists (select from webhook_rollout_results x where x.rollout_id = :id and x.channel_id = c.id)
     order by c.id limit :limit`,
    { id, organizationId, workspaceId, ownChannelId, lastChannelId, createdAt, after, limit },
  );
  return rows.map((row) => row.id);
}

interface Target {
  readonly channelPublicId: string;
  readonly workspaceId: number;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly isConnected: boolean;
  readonly hasResult: boolean;
  readonly presentUrl: string | null;
  readonly presentToken: string;
  readonly presentDefaultId: number | null;
  readonly isBeingSaved: boolean;
  readonly revision: number;
}

type Decision = { readonly result: NewResult } | { readonly save: StagedDefault };

interface ChannelOfRollout {
  readonly rollout: OpenRollout;
  readonly channelId: number;
}

/** Returns whether the channel needs a save. Records the result of one that needs none. */
export async function needsSave(db: Knex, secretBox: SecretBox, of: ChannelOfRollout): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const target = await lockTarget(trx, of);
    if (!target || target.hasResult) return false;
    const decision = await decide(trx, secretBox, { ...of, target });
    if ('save' in decision && !of.rollout.dryRun) return true;
    const result: NewResult = 'save' in decision ? { outcome: 'applied' } : decision.result;
    await insertRolloutResult(trx, { rolloutId: of.rollout.id, channelId: of.channelId, result });
    return false;
  });
}

/** Stages the default as the channel's webhook, or settles the channel. Repeating it overtakes the earlier candidate. */
export async function stageDefaultForChannel(
  db: Knex,
  secretBox: SecretBox,
  of: ChannelOfRollout,
): Promise<StagedSave | null> {
  const { rollout, channelId } = of;
  return await db.transaction(async (trx) => {
    const target = await lockTarget(trx, of);
    if (!target || target.hasResult) return null;
    const decision = await decide(trx, secretBox, { ...of, target });
    if ('result' in decision) {
      await insertRolloutResult(trx, { rolloutId: rollout.id, channelId, result: decision.result });
      return null;
    }
    const { save } = decision;
    await WebhookConfigModel.query(trx)
      .findById(channelId)
      .patch({ revision: raw('revision + 1') });
    const candidateId = await insertCandidate(trx, {
      channelId,
      url: save.url,
      keepsToken: false,
      revision: target.revision + 1,
      defaultWebhookId: save.id,
      sealedToken: secretBox.seal(tokenOf(secretBox, save), sealedContexts.verifyToken(target.channelPublicId)),
      deadlineMs: SAVE_DEADLINE_MS,
      pending: 'follow',
      requestedBy: contextOfRequester(rollout),
    });
    return { candidateId, channelId: target.channelPublicId, workspaceId: target.workspacePublicId };
  });
}

/** Locks the config, as saves and clears do. Another save of this rollout doesn't count as being saved. */
async function lockTarget(trx: Knex, { rollout, channelId }: ChannelOfRollout): Promise<Target | undefined> {
  await WebhookConfigModel.query(trx).select('channel_id').findById(channelId).forUpdate();
  const [target] = await queryRows<Target>(
    trx,
    `select c.public_id as "channelPublicId", c.workspace_id as "workspaceId", w.public_id as "workspacePublicId",
       w.organization_id as "organizationId", c.disconnected_at is null and w.deleted_at is null as "isConnected",
       exists (select from webhook_rollout_results x where x.rollout_id = :rolloutId and x.channel_id = c.id)
         as "hasResult",
       d.url as "presentUrl", g.verify_token_encrypted as "presentToken", g.default_webhook_id as "presentDefaultId",
       exists (select from webhook_candidates k where k.channel_id = c.id and k.status = 'staged'
         and k.revision = g.revision and k.deadline_at > clock_timestamp() and k.default_webhook_id is null)
         as "isBeingSaved", g.revision
     from channels c join workspaces w on w.id = c.workspace_id join webhook_configs g on g.channel_id = c.id
     left join destinations d on d.id = g.destination_id where c.id = :channelId`,
    { rolloutId: rollout.id, channelId },
  );
  return target;
}

const skipped = (reason: NonNullable<NewResult['reason']>): Decision => ({ result: { outcome: 'skipped', reason } });

interface Deciding extends ChannelOfRollout {
  readonly target: Target;
}

async function decide(trx: Knex, secretBox: SecretBox, deciding: Deciding): Promise<Decision> {
  const { rollout, target } = deciding;
  if (!target.isConnected) return skipped('channel_disconnected');
  if (isElsewhere(deciding)) return skipped('channel_moved');
  const given = await defaultFor(trx, deciding);
  if ('result' in given) return given;
  if (target.isBeingSaved) return skipped('webhook_changed');
  if (target.presentUrl === null) return given;
  if (isSame(secretBox, target, given.save)) return { result: { outcome: 'unchanged' } };
  return target.presentDefaultId === null && !rollout.replaceOwn ? skipped('own_webhook') : given;
}

function isElsewhere({ rollout, target }: Deciding): boolean {
  if (target.organizationId !== rollout.organizationId) return true;
  return rollout.workspaceId !== null && target.workspaceId !== rollout.workspaceId;
}

/** A new channel gets the present default; a rollout over all channels applies only the one that it was created for. */
async function defaultFor(trx: Knex, { rollout, target }: Deciding): Promise<Decision> {
  const effective = await findEffectiveDefault(trx, target);
  if (!effective) return skipped('default_changed');
  if (rollout.channelId === null && effective.id !== rollout.defaultWebhookId) {
    const isOverridden = rollout.workspaceId === null && effective.workspaceId !== null;
    return skipped(isOverridden ? 'workspace_default' : 'default_changed');
  }
  const save = await findStagedDefault(trx, effective.id);
  return save?.status === 'current' ? { save } : skipped('default_changed');
}

function isSame(secretBox: SecretBox, target: Target, given: StagedDefault): boolean {
  if (target.presentUrl !== given.url) return false;
  const present = secretBox.open(target.presentToken, sealedContexts.verifyToken(target.channelPublicId));
  return present === tokenOf(secretBox, given);
}

/** A default in use has its token. */
function tokenOf(secretBox: SecretBox, { verifyTokenEncrypted, ownerPublicId }: StagedDefault): string {
  return secretBox.open(verifyTokenEncrypted!, sealedContexts.defaultVerifyToken(ownerPublicId));
}

/** Gives the channel the result of its save. A save without an end can no longer commit. */
export async function settleSavedChannel(
  db: Knex,
  { rollout, channelId, candidateId }: ChannelOfRollout & { readonly candidateId: number },
): Promise<NewResult> {
  const failure = 'The save did not end in time';
  await recordCandidateFailure(db, { candidateId, status: 'abandoned', failure });
  const candidate = await findCandidate(db, { candidateId });
  const result = resultOf(candidate?.status, candidate?.failure ?? null);
  await insertRolloutResult(db, { rolloutId: rollout.id, channelId, result });
  return result;
}

function resultOf(status: CandidateStatus | undefined, detail: string | null): NewResult {
  switch (status) {
    case 'committed':
      return { outcome: 'applied' };
    case 'failed':
      return { outcome: 'failed', reason: 'verification_failed', detail };
    case 'blocked':
      return { outcome: 'failed', reason: 'url_not_allowed', detail };
    case 'overtaken':
      return { outcome: 'skipped', reason: 'webhook_changed' };
    case 'staged':
    case 'abandoned':
    case undefined:
      return { outcome: 'failed', reason: 'save_unanswered', detail };
  }
}
