import type { Knex } from 'knex';
import { raw } from 'objection';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import type { ProbeName } from '../../contract/webhooks/probe.ts';
import { recordAudit, type Requester, requesterColumns } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { applyPending } from '../ledger/apply-pending.ts';
import { endVoidBeforeUse, endVoidWorkflows } from '../ledger/end-void-deliveries.ts';
import { insertDestination, retargetDestination } from '../ledger/destinations/destinations.ts';
import { type CandidateStatus, type ProbeRecord, WebhookCandidateModel } from '../models/webhook-candidate.ts';
import { ChannelModel } from '../models/channel.ts';
import { DestinationModel } from '../models/destination.ts';
import { WebhookConfigModel } from '../models/webhook-config.ts';
import type { RowOf } from '../core/model.ts';

export type { CandidateStatus, ProbeRecord };

export interface Candidate extends RowOf<WebhookCandidateModel> {
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly expired: boolean;
  /** Whether the service minted the token and has shown it to no one. */
  readonly isTokenUnseen: boolean;
}

export interface NewCandidate {
  readonly channelId: number;
  readonly url: string;
  readonly sealedToken: string;
  readonly keepsToken: boolean;
  readonly revision: number;
  readonly deadlineMs: number;
  readonly pending: PendingChoice;
  readonly requestedBy: Requester | null;
  /** Optional. The default that the channel gets. Default: the webhook is the channel's own. */
  readonly defaultWebhookId?: number;
}

export async function insertCandidate(db: Knex, candidate: NewCandidate): Promise<number> {
  const { channelId, url, revision, pending, requestedBy } = candidate;
  const { id } = await WebhookCandidateModel.query(db).insert({
    channelId,
    url,
    revision,
    pending,
    defaultWebhookId: candidate.defaultWebhookId ?? null,
    verifyTokenEncrypted: candidate.sealedToken,
    keepsVerifyToken: candidate.keepsToken,
    deadlineAt: raw(`clock_timestamp() + ? * interval '1 millisecond'`, [candidate.deadlineMs]),
    ...(requestedBy && requesterColumns(requestedBy)),
  });
  return id;
}

/** A token that came with a save, or with a default, is known to its sender. */
const tokenUnseen = `
  webhook_candidates.keeps_verify_token and config.default_webhook_id is null and not exists (
    select from secret_reveals r where r.channel_id = webhook_candidates.channel_id and r.kind = 'verify_token'
      and r.secret_number = config.verify_token_version) as is_token_unseen`;

export async function findCandidate(
  db: Knex,
  { candidateId }: { candidateId: number },
): Promise<Candidate | undefined> {
  return await WebhookCandidateModel.query(db)
    .joinRelated('[channel.workspace, config]')
    .select(
      'webhook_candidates.*',
      'channel.public_id as channel_public_id',
      'channel:workspace.public_id as workspace_public_id',
    )
    .select('channel:workspace.organization_id as organization_id')
    .select(raw('webhook_candidates.deadline_at <= clock_timestamp() as expired'))
    .select(raw(tokenUnseen))
    .findOne({ 'webhook_candidates.id': candidateId })
    .castTo<Candidate | undefined>();
}

export type Verification = Pick<WebhookCandidateModel, 'url' | 'status' | 'failure' | 'probes' | 'createdAt'>;

/** Returns the last save of the channel that its probes decided. */
export async function findLastVerification(db: Knex, channelId: number): Promise<Verification | undefined> {
  return await WebhookCandidateModel.query(db)
    .select('url', 'status', 'failure', 'probes', 'created_at')
    .where({ channel_id: channelId })
    .whereIn('status', ['committed', 'failed', 'blocked'])
    .orderBy('id', 'desc')
    .first();
}

export async function recordProbe(
  db: Knex,
  { candidateId, probe, record }: { candidateId: number; probe: ProbeName; record: ProbeRecord },
): Promise<void> {
  await WebhookCandidateModel.query(db)
    .where({ id: candidateId, status: 'staged' })
    .patch({ probes: withProbe(probe, record) });
}

export async function recordCandidateFailure(
  db: Knex,
  end: {
    readonly candidateId: number;
    readonly status: Exclude<CandidateStatus, 'staged' | 'committed'>;
    readonly failure: string;
  },
): Promise<boolean> {
  const count = await WebhookCandidateModel.query(db)
    .where({ id: end.candidateId, status: 'staged' })
    .patch({ status: end.status, failure: end.failure });
  return count === 1;
}

interface LockedCandidate extends RowOf<WebhookCandidateModel> {
  readonly config: RowOf<WebhookConfigModel>;
  readonly expired: boolean;
}

/**
 * Commits a staged candidate before its deadline unless a later save or clear overtook it. Idempotent.
 */
export async function commitCandidate(
  db: Knex,
  { candidateId }: { candidateId: number },
): Promise<'committed' | 'overtaken' | 'expired'> {
  const { outcome, formerId } = await ledgerTransaction(db, async (trx): Promise<Commit> => {
    const candidate = await lockCandidate(trx, candidateId);
    const { status } = candidate;
    if (status === 'committed') return { outcome: 'committed' };
    if (status === 'overtaken' || (status === 'staged' && candidate.revision !== candidate.config.revision)) {
      await setStatus(trx, candidateId, 'overtaken');
      return { outcome: 'overtaken' };
    }
    if (status !== 'staged' || candidate.expired) {
      if (status === 'staged') await setStatus(trx, candidateId, 'abandoned');
      return { outcome: 'expired' };
    }
    const isReplaced = await applyCandidate(trx, candidate);
    await setStatus(trx, candidateId, 'committed');
    await auditCommit(trx, candidate);
    return { outcome: 'committed', ...(isReplaced && { formerId: candidate.config.destinationId! }) };
  });
  if (formerId !== undefined) await endVoidWorkflows(db, { destinationId: formerId });
  return outcome;
}

interface Commit {
  readonly outcome: 'committed' | 'overtaken' | 'expired';
  /** If another destination has taken its place. Its deliveries are void unless they keep their URL. */
  readonly formerId?: number;
}

/** The destination if its circuit is open, because the new URL should be probed. */
export async function openCircuitOf(db: Knex, candidateId: number): Promise<number[]> {
  const destinations = await WebhookCandidateModel.query(db)
    .joinRelated('config.destination')
    .select('config:destination.id')
    .where({ 'webhook_candidates.id': candidateId, 'config:destination.circuit': 'open' })
    .castTo<{ readonly id: number }[]>();
  return destinations.map(({ id }) => id);
}

/** Locks the config before the candidate, as saves and clears do. */
async function lockCandidate(trx: Knex, candidateId: number): Promise<LockedCandidate> {
  const config = await WebhookConfigModel.query(trx)
    .where('channel_id', WebhookCandidateModel.query().select('channel_id').where({ id: candidateId }))
    .forUpdate()
    .first();
  const candidate = await WebhookCandidateModel.query(trx)
    .select('*', raw('deadline_at <= clock_timestamp() as expired'))
    .findById(candidateId)
    .forUpdate()
    .castTo<Omit<LockedCandidate, 'config'> | undefined>();
  if (!config || !candidate) throw new Error(`Webhook candidate ${candidateId} does not exist`);
  return { ...candidate, config };
}

/** Returns whether another destination has taken the place of the present one. */
async function applyCandidate(trx: Knex, candidate: LockedCandidate): Promise<boolean> {
  const { channelId, url, config } = candidate;
  const { destinationId: presentId } = config;
  const destinationId =
    presentId === null
      ? await insertDestination(trx, { channelId, type: 'webhook', url })
      : await retarget(trx, candidate, presentId);
  await WebhookConfigModel.query(trx)
    .findById(channelId)
    .patch({
      destinationId,
      defaultWebhookId: candidate.defaultWebhookId,
      verifyTokenEncrypted: candidate.verifyTokenEncrypted,
      ...(!candidate.keepsVerifyToken && { verifyTokenVersion: raw('verify_token_version + 1') }),
      verifiedAt: raw('now()'),
      updatedAt: raw('now()'),
    });
  return presentId !== null && presentId !== destinationId;
}

/** Returns the destination that has the new URL. */
async function retarget(trx: Knex, candidate: LockedCandidate, destinationId: number): Promise<number> {
  const { url, requestedByType: type, requestedBy } = candidate;
  const actor = type !== null && requestedBy !== null ? { type, id: requestedBy } : undefined;
  // Before its deliveries, as settlements do.
  const present = await DestinationModel.query(trx).select('url').findById(destinationId).forNoKeyUpdate();
  const pending = candidate.pending === 'keep' && present?.url === url ? 'follow' : candidate.pending;
  await endVoidBeforeUse(trx, { destinationId });
  const id = await applyPending(trx, { destinationId, pending, actor });
  await retargetDestination(trx, { id, url });
  return id;
}

export function withProbe(probe: ProbeName, record: ProbeRecord) {
  return raw('probes || jsonb_build_object(cast(? as text), cast(? as jsonb))', [probe, JSON.stringify(record)]);
}

async function setStatus(trx: Knex, id: number, status: CandidateStatus): Promise<void> {
  await WebhookCandidateModel.query(trx).findById(id).patch({ status });
}

/** Without a requester, the service is the actor. */
async function auditCommit(trx: Knex, candidate: LockedCandidate): Promise<void> {
  const { channelId, requestedByType, requestedBy, requestId, clientAddress } = candidate;
  const channel = await ChannelModel.query(trx)
    .joinRelated('workspace')
    .select('channels.public_id as target_id', 'workspace_id', 'workspace.organization_id')
    .findById(channelId)
    .throwIfNotFound()
    .castTo<{ readonly targetId: string; readonly workspaceId: number; readonly organizationId: number }>();
  const actor = { type: requestedByType ?? 'system', id: requestedBy ?? 'webhook-save' };
  await recordAudit(trx, { ...channel, actor, action: 'webhook.set', requestId, clientAddress });
}
