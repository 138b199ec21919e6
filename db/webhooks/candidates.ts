import type { Knex } from 'knex';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import type { ProbeFinding, ProbeName } from '../../contract/webhooks/probe.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { insertDestination, retargetDestination } from '../ledger/destinations/destinations.ts';
import { applyPending } from '../ledger/apply-pending.ts';
import { auditCommit } from './audit-commit.ts';

/**
 * A webhook save under way. `staged` ends exactly once, always by an update that asks for `staged`: committed after
 * both probes, failed or blocked by one of them, overtaken by a later save or clear, abandoned when its time ran out or
 * no workflow took it.
 */
export type CandidateStatus = 'staged' | 'committed' | 'failed' | 'blocked' | 'overtaken' | 'abandoned';

/** What came of a probe. */
export interface ProbeRecord extends ProbeFinding {
  readonly durationMs: number;
}

export interface Candidate {
  readonly id: number;
  readonly channelId: number;
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly url: string;
  /** Opens in the context `sealedContexts.verifyToken(channelPublicId)`. */
  readonly verifyTokenEncrypted: string;
  readonly status: CandidateStatus;
  readonly failure: string | null;
  /** Those that were made so far. */
  readonly probes: Readonly<Partial<Record<ProbeName, ProbeRecord>>>;
  /** By the database's clock. */
  readonly expired: boolean;
}

interface CandidateRow {
  id: number;
  channel_id: number;
  channel_public_id: string;
  workspace_public_id: string;
  url: string;
  verify_token_encrypted: string;
  status: CandidateStatus;
  failure: string | null;
  probes: Candidate['probes'];
  expired: boolean;
}

/** Who asked for a save: what its audit entry says when the save is committed, by another process. */
export interface WebhookRequester {
  readonly actor: AuditActor;
  readonly requestId?: string | null;
  readonly clientAddress?: string | null;
}

export interface NewCandidate {
  readonly channelId: number;
  readonly url: string;
  readonly sealedToken: string;
  /** Whether that is the config's present verify token. */
  readonly keepsToken: boolean;
  readonly revision: number;
  readonly deadlineMs: number;
  readonly pending: PendingChoice;
  readonly requestedBy: WebhookRequester | null;
}

export async function insertCandidate(db: Knex, candidate: NewCandidate): Promise<number> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `insert into webhook_candidates (channel_id, url, verify_token_encrypted, revision, deadline_at, pending,
       requested_by_type, requested_by, request_id, client_address, keeps_verify_token)
     values (?, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond', ?, ?, ?, ?, ?, ?) returning id`,
    [
      candidate.channelId,
      candidate.url,
      candidate.sealedToken,
      candidate.revision,
      candidate.deadlineMs,
      candidate.pending,
      candidate.requestedBy?.actor.type ?? null,
      candidate.requestedBy?.actor.id ?? null,
      candidate.requestedBy?.requestId ?? null,
      candidate.requestedBy?.clientAddress ?? null,
      candidate.keepsToken,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('An insert returned no row');
  return row.id;
}

export async function findCandidate(
  db: Knex,
  { candidateId }: { candidateId: number },
): Promise<Candidate | undefined> {
  const { rows } = await db.raw<{ rows: CandidateRow[] }>(
    `select w.id, w.channel_id, c.public_id as channel_public_id, ws.public_id as workspace_public_id, w.url,
       w.verify_token_encrypted, w.status, w.failure, w.probes, w.deadline_at <= clock_timestamp() as expired
     from webhook_candidates w
     join channels c on c.id = w.channel_id
     join workspaces ws on ws.id = c.workspace_id
     where w.id = ?`,
    [candidateId],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Notes what came of a probe, over what an earlier try of it has noted; nothing once the candidate has ended. */
export async function recordProbe(
  db: Knex,
  { candidateId, probe, record }: { candidateId: number; probe: ProbeName; record: ProbeRecord },
): Promise<void> {
  await db.raw(
    `update webhook_candidates set probes = probes || jsonb_build_object(cast(? as text), cast(? as jsonb))
     where id = ? and status = 'staged'`,
    [probe, JSON.stringify(record), candidateId],
  );
}

/** Ends a staged candidate that does not become the config; says whether it was still staged. */
export async function recordCandidateFailure(
  db: Knex,
  end: {
    readonly candidateId: number;
    readonly status: Exclude<CandidateStatus, 'staged' | 'committed'>;
    readonly failure: string;
  },
): Promise<boolean> {
  const count = await db('webhook_candidates')
    .where({ id: end.candidateId, status: 'staged' })
    .update({ status: end.status, failure: end.failure });
  return count === 1;
}

interface CommitRow {
  channel_id: number;
  url: string;
  verify_token_encrypted: string;
  keeps_verify_token: boolean;
  status: CandidateStatus;
  revision: number;
  config_revision: number;
  destination_id: number | null;
  pending: PendingChoice;
  present_url: string | null;
  expired: boolean;
}

/**
 * Makes the candidate the channel's webhook: only while it is staged, before its deadline, and when no later save or
 * clear has raised the revision. A repeat after success says `committed` again and changes nothing.
 */
export async function commitCandidate(
  db: Knex,
  { candidateId }: { candidateId: number },
): Promise<'committed' | 'overtaken' | 'expired'> {
  return await ledgerTransaction(db, async (trx) => {
    const row = await lockCandidate(trx, candidateId);
    if (row.status === 'committed') return 'committed';
    if (row.status === 'overtaken' || (row.status === 'staged' && row.revision !== row.config_revision)) {
      await setStatus(trx, candidateId, 'overtaken');
      return 'overtaken';
    }
    if (row.status !== 'staged' || row.expired) {
      if (row.status === 'staged') await setStatus(trx, candidateId, 'abandoned');
      return 'expired';
    }
    await applyCandidate(trx, row);
    await setStatus(trx, candidateId, 'committed');
    await auditCommit(trx, candidateId);
    return 'committed';
  });
}

/** The destination that a candidate was committed to, if its circuit is open: aimed anew it is worth a probe. */
export async function halfOpenOf(db: Knex, candidateId: number): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select dest.id from webhook_candidates w
     join webhook_configs c on c.channel_id = w.channel_id
     join destinations dest on dest.id = c.destination_id
     where w.id = ? and dest.circuit = 'open'`,
    [candidateId],
  );
  return rows.map(({ id }) => id);
}

/** Locks the config before the candidate, in the order in which saves and clears do. */
async function lockCandidate(trx: Knex, candidateId: number): Promise<CommitRow> {
  await trx.raw(
    `select from webhook_configs where channel_id = (select channel_id from webhook_candidates where id = ?) for update`,
    [candidateId],
  );
  const { rows } = await trx.raw<{ rows: CommitRow[] }>(
    `select w.channel_id, w.url, w.verify_token_encrypted, w.keeps_verify_token, w.status, w.revision, c.revision as config_revision,
       c.destination_id, w.pending, d.url as present_url, w.deadline_at <= clock_timestamp() as expired
     from webhook_candidates w join webhook_configs c on c.channel_id = w.channel_id
     left join destinations d on d.id = c.destination_id
     where w.id = ? for update of w`,
    [candidateId],
  );
  const [row] = rows;
  if (!row) throw new Error(`No webhook candidate ${candidateId}`);
  return row;
}

async function applyCandidate(trx: Knex, row: CommitRow): Promise<void> {
  if (row.destination_id !== null) await retarget(trx, row, row.destination_id);
  const destinationId =
    row.destination_id ?? (await insertDestination(trx, { channelId: row.channel_id, type: 'webhook', url: row.url }));
  await trx('webhook_configs')
    .where({ channel_id: row.channel_id })
    .update({
      destination_id: destinationId,
      verify_token_encrypted: row.verify_token_encrypted,
      ...(!row.keeps_verify_token && { verify_token_version: trx.raw('verify_token_version + 1') }),
      verified_at: trx.fn.now(),
      updated_at: trx.fn.now(),
    });
}

/** What waits is seen to before the URL is another. */
async function retarget(trx: Knex, row: CommitRow, destinationId: number): Promise<void> {
  const pending = row.pending === 'keep' && row.present_url === row.url ? 'follow' : row.pending;
  await applyPending(trx, { channelId: row.channel_id, destinationId, pending });
  await retargetDestination(trx, { id: destinationId, url: row.url });
}

async function setStatus(trx: Knex, id: number, status: CandidateStatus): Promise<void> {
  await trx('webhook_candidates').where({ id }).update({ status });
}

function fromRow(row: CandidateRow): Candidate {
  return {
    id: row.id,
    channelId: row.channel_id,
    channelPublicId: row.channel_public_id,
    workspacePublicId: row.workspace_public_id,
    url: row.url,
    verifyTokenEncrypted: row.verify_token_encrypted,
    status: row.status,
    failure: row.failure,
    probes: row.probes,
    expired: row.expired,
  };
}
