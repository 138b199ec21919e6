import type { Knex } from 'knex';
import { raw } from 'objection';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import type { ProbeName } from '../../contract/webhooks/probe.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { queryRows } from '../core/query-rows.ts';
import { applyPending } from '../ledger/apply-pending.ts';
import { endVoidBeforeUse, endVoidWorkflows } from '../ledger/end-void-deliveries.ts';
import { insertDestination, retargetDestination } from '../ledger/destinations/destinations.ts';
import { type CandidateStatus, type ProbeRecord, WebhookCandidateModel } from '../models/webhook-candidate.ts';
import { WebhookConfigModel } from '../models/webhook-config.ts';
import { auditCommit } from './audit-commit.ts';

export type { CandidateStatus, ProbeRecord };

export interface Candidate {
  readonly id: number;
  readonly channelId: number;
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  /** Null unless a rollout saves. */
  readonly defaultWebhookId: number | null;
  readonly url: string;
  /** Sealed in the context `verifyToken`. */
  readonly verifyTokenEncrypted: string;
  readonly status: CandidateStatus;
  readonly failure: string | null;
  readonly probes: Readonly<Partial<Record<ProbeName, ProbeRecord>>>;
  readonly expired: boolean;
  /** Whether the service minted the token and has shown it to no one. */
  readonly isTokenUnseen: boolean;
}

export interface WebhookRequester {
  readonly actor: AuditActor;
  readonly requestId?: string | null;
  readonly clientAddress?: string | null;
}

export interface NewCandidate {
  readonly channelId: number;
  readonly url: string;
  readonly sealedToken: string;
  readonly keepsToken: boolean;
  readonly revision: number;
  readonly deadlineMs: number;
  readonly pending: PendingChoice;
  readonly requestedBy: WebhookRequester | null;
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
    requestedByType: requestedBy?.actor.type ?? null,
    requestedBy: requestedBy?.actor.id ?? null,
    requestId: requestedBy?.requestId ?? null,
    clientAddress: requestedBy?.clientAddress ?? null,
  });
  return id;
}

const columns = [
  'id',
  'channel_id',
  'url',
  'verify_token_encrypted',
  'status',
  'failure',
  'probes',
  'default_webhook_id',
].map((column) => `webhook_candidates.${column}`);

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
    .select(columns)
    .select('channel.public_id as channel_public_id', 'channel:workspace.public_id as workspace_public_id')
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
    .patch({
      probes: raw('probes || jsonb_build_object(cast(? as text), cast(? as jsonb))', [probe, JSON.stringify(record)]),
    });
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

interface LockedCandidate {
  readonly channelId: number;
  readonly url: string;
  readonly verifyTokenEncrypted: string;
  readonly keepsVerifyToken: boolean;
  readonly status: CandidateStatus;
  readonly revision: number;
  readonly configRevision: number;
  readonly destinationId: number | null;
  readonly pending: PendingChoice;
  readonly defaultWebhookId: number | null;
  readonly presentUrl: string | null;
  readonly requestedByType: AuditActor['type'] | null;
  readonly requestedBy: string | null;
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
    if (status === 'overtaken' || (status === 'staged' && candidate.revision !== candidate.configRevision)) {
      await setStatus(trx, candidateId, 'overtaken');
      return { outcome: 'overtaken' };
    }
    if (status !== 'staged' || candidate.expired) {
      if (status === 'staged') await setStatus(trx, candidateId, 'abandoned');
      return { outcome: 'expired' };
    }
    const isReplaced = await applyCandidate(trx, candidate);
    await setStatus(trx, candidateId, 'committed');
    await auditCommit(trx, candidateId);
    return { outcome: 'committed', ...(isReplaced && { formerId: candidate.destinationId! }) };
  });
  if (formerId !== undefined) await endVoidWorkflows(db, { destinationId: formerId });
  return outcome;
}

interface Commit {
  readonly outcome: 'committed' | 'overtaken' | 'expired';
  /** If another destination has taken its place. Its deliveries are void unless they keep their URL. */
  readonly formerId?: number;
}

/** Returns the destination if its circuit is open, because the new URL should be probed. */
export async function halfOpenOf(db: Knex, candidateId: number): Promise<number[]> {
  const destinations = await WebhookCandidateModel.query(db)
    .joinRelated('config.destination')
    .select('config:destination.id')
    .where({ 'webhook_candidates.id': candidateId, 'config:destination.circuit': 'open' })
    .castTo<{ readonly id: number }[]>();
  return destinations.map(({ id }) => id);
}

/** Locks the config before the candidate, as saves and clears do. */
async function lockCandidate(trx: Knex, candidateId: number): Promise<LockedCandidate> {
  await WebhookConfigModel.query(trx)
    .select('channel_id')
    .where('channel_id', WebhookCandidateModel.query().select('channel_id').where({ id: candidateId }))
    .forUpdate();
  const [candidate] = await queryRows<LockedCandidate>(
    trx,
    `select w.channel_id as "channelId", w.url, w.verify_token_encrypted as "verifyTokenEncrypted",
       w.keeps_verify_token as "keepsVerifyToken", w.status, w.revision, c.revision as "configRevision",
       c.destination_id as "destinationId", w.pending, w.default_webhook_id as "defaultWebhookId", d.url as "presentUrl",
       w.deadline_at <= clock_timestamp() as expired, w.requested_by_type as "requestedByType", w.requested_by as "requestedBy"
     from webhook_candidates w join webhook_configs c on c.channel_id = w.channel_id
     left join destinations d on d.id = c.destination_id
     where w.id = :candidateId for update of w`,
    { candidateId },
  );
  if (!candidate) throw new Error(`Webhook candidate ${candidateId} does not exist`);
  return candidate;
}

/** Returns whether another destination has taken the place of the present one. */
async function applyCandidate(trx: Knex, candidate: LockedCandidate): Promise<boolean> {
  const { channelId, url } = candidate;
  const destinationId =
    candidate.destinationId === null
      ? await insertDestination(trx, { channelId, type: 'webhook', url })
      : await retarget(trx, candidate, candidate.destinationId);
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
  return candidate.destinationId !== null && candidate.destinationId !== destinationId;
}

/** Returns the destination that has the new URL. */
async function retarget(trx: Knex, candidate: LockedCandidate, destinationId: number): Promise<number> {
  const { url, presentUrl, requestedByType: type, requestedBy } = candidate;
  const actor = type !== null && requestedBy !== null ? { type, id: requestedBy } : undefined;
  const pending = candidate.pending === 'keep' && presentUrl === url ? 'follow' : candidate.pending;
  await endVoidBeforeUse(trx, { destinationId });
  const id = await applyPending(trx, { destinationId, pending, actor });
  await retargetDestination(trx, { id, url });
  return id;
}

async function setStatus(trx: Knex, id: number, status: CandidateStatus): Promise<void> {
  await WebhookCandidateModel.query(trx).findById(id).patch({ status });
}
