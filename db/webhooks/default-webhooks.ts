import type { Knex } from 'knex';
import type { ProbeName } from '../../contract/webhooks/probe.ts';
import type { DefaultWebhookStatus } from '../../contract/webhooks/rollout.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { ProbeRecord } from '../models/webhook-candidate.ts';
import type { Verification } from './candidates.ts';

/** An organization, or one of its workspaces. */
export interface OwnerKey {
  readonly organizationId: number;
  /** Null for the organization. */
  readonly workspaceId: number | null;
}

export interface DefaultOwner extends OwnerKey {
  /** The public id of the workspace or else of the organization. */
  readonly publicId: string;
}

export interface DefaultWebhook {
  readonly id: number;
  readonly url: string;
  readonly verifiedAt: Date;
}

export interface StagedDefault {
  readonly id: number;
  readonly url: string;
  /** Null if no longer needed. */
  readonly verifyTokenEncrypted: string | null;
  readonly status: DefaultWebhookStatus;
  readonly failure: string | null;
  readonly probes: Readonly<Partial<Record<ProbeName, ProbeRecord>>>;
  readonly ownerPublicId: string;
  readonly workspacePublicId: string | null;
}

const ofOwner = `d.organization_id = :organizationId
  and coalesce(d.workspace_id, 0) = coalesce(cast(:workspaceId as bigint), 0)`;

const keyOf = ({ organizationId, workspaceId }: OwnerKey) => ({ organizationId, workspaceId });

export async function findDefaultWebhook(db: Knex, owner: OwnerKey): Promise<DefaultWebhook | undefined> {
  const [found] = await queryRows<DefaultWebhook>(
    db,
    `select d.id, d.url, d.verified_at as "verifiedAt" from default_webhooks d
     where ${ofOwner} and d.status = 'current'`,
    keyOf(owner),
  );
  return found;
}

/** Returns the last finished save. */
export async function findLastDefaultVerification(db: Knex, owner: OwnerKey): Promise<Verification | undefined> {
  const [found] = await queryRows<Verification>(
    db,
    `select d.url, case when d.status in ('current', 'replaced') then 'committed' else d.status end as status,
       d.failure, d.probes, d.created_at as "createdAt"
     from default_webhooks d where ${ofOwner} and d.status in ('current', 'replaced', 'failed', 'blocked')
     order by d.id desc limit 1`,
    keyOf(owner),
  );
  return found;
}

/** The default that a new channel of the workspace gets: the workspace's, or else the organization's. */
export async function findEffectiveDefault(
  db: Knex,
  { workspaceId }: { readonly workspaceId: number },
): Promise<{ readonly id: number; readonly organizationId: number; readonly workspaceId: number | null } | undefined> {
  const [found] = await queryRows<{ id: number; organizationId: number; workspaceId: number | null }>(
    db,
    `select d.id, d.organization_id as "organizationId", d.workspace_id as "workspaceId"
     from workspaces w join default_webhooks d on d.organization_id = w.organization_id and d.status = 'current'
       and (d.workspace_id = w.id or d.workspace_id is null)
     where w.id = :workspaceId order by d.workspace_id nulls last limit 1`,
    { workspaceId },
  );
  return found;
}

export interface NewDefaultWebhook extends DefaultOwner {
  readonly url: string;
  readonly verifyToken: string;
  readonly deadlineMs: number;
  readonly audit: AuditContext;
}

/** Overtakes saves in progress. */
export async function stageDefaultWebhook(db: Knex, secretBox: SecretBox, staged: NewDefaultWebhook): Promise<number> {
  const { url, deadlineMs, audit } = staged;
  return await db.transaction(async (trx) => {
    await lockOwner(trx, staged);
    await overtakeStaged(trx, staged);
    const sealed = secretBox.seal(staged.verifyToken, sealedContexts.defaultVerifyToken(staged.publicId));
    const [row] = await queryRows<{ id: number }>(
      trx,
      `insert into default_webhooks (organization_id, workspace_id, url, verify_token_encrypted, deadline_at,
         requested_by_type, requested_by, request_id, client_address)
       values (:organizationId, :workspaceId, :url, :sealed, clock_timestamp() + :deadlineMs * interval '1 millisecond',
         :actorType, :actorId, :requestId, :clientAddress) returning id`,
      { ...keyOf(staged), url, sealed, deadlineMs, ...requesterOf(audit) },
    );
    return row!.id;
  });
}

export function requesterOf({ actor, requestId, clientAddress }: AuditContext) {
  return {
    actorType: actor.type,
    actorId: actor.id,
    requestId: requestId ?? null,
    clientAddress: clientAddress ?? null,
  };
}

/** Serializes the saves, clears and rollouts of an owner. */
export async function lockOwner(trx: Knex, { organizationId, workspaceId }: OwnerKey) {
  const name = `default-webhook/${organizationId}/${workspaceId ?? 0}`;
  await queryRows(trx, 'select pg_advisory_xact_lock(hashtextextended(:name, 0))', { name });
}

async function overtakeStaged(trx: Knex, owner: DefaultOwner): Promise<void> {
  await queryRows(
    trx,
    `update default_webhooks d set status = 'overtaken', verify_token_encrypted = null
     where ${ofOwner} and d.status = 'staged'`,
    keyOf(owner),
  );
}

async function replaceCurrent(trx: Knex, owner: OwnerKey): Promise<boolean> {
  const replaced = await queryRows(
    trx,
    `update default_webhooks d set status = 'replaced', verify_token_encrypted = null
     where ${ofOwner} and d.status = 'current' returning d.id`,
    keyOf(owner),
  );
  return replaced.length > 0;
}

export async function findStagedDefault(db: Knex, id: number): Promise<StagedDefault | undefined> {
  const [found] = await queryRows<StagedDefault>(
    db,
    `select d.id, d.url, d.verify_token_encrypted as "verifyTokenEncrypted", d.status, d.failure, d.probes,
       coalesce(w.public_id, o.public_id) as "ownerPublicId", w.public_id as "workspacePublicId"
     from default_webhooks d join organizations o on o.id = d.organization_id
     left join workspaces w on w.id = d.workspace_id where d.id = :id`,
    { id },
  );
  return found;
}

export async function recordDefaultProbe(
  db: Knex,
  { id, probe, record }: { readonly id: number; readonly probe: ProbeName; readonly record: ProbeRecord },
): Promise<void> {
  await queryRows(
    db,
    `update default_webhooks
     set probes = probes || jsonb_build_object(cast(:probe as text), cast(:record as jsonb))
     where id = :id and status = 'staged'`,
    { id, probe, record: JSON.stringify(record) },
  );
}

/** Returns false if the save has ended. */
export async function failDefaultWebhook(
  db: Knex,
  end: { readonly id: number; readonly status: 'failed' | 'blocked' | 'abandoned'; readonly failure: string },
): Promise<boolean> {
  const failed = await queryRows(
    db,
    `update default_webhooks set status = :status, failure = :failure, verify_token_encrypted = null
     where id = :id and status = 'staged' returning id`,
    { ...end },
  );
  return failed.length > 0;
}

interface CommittedDefault extends OwnerKey {
  readonly status: DefaultWebhookStatus;
  readonly isExpired: boolean;
  readonly ownerPublicId: string;
  readonly actorType: AuditContext['actor']['type'];
  readonly actorId: string;
  readonly requestId: string | null;
  readonly clientAddress: string | null;
}

/** Makes a staged default the current one before its deadline, unless a later save or clear overtook it. Idempotent. */
export async function commitDefaultWebhook(db: Knex, id: number): Promise<'committed' | 'overtaken' | 'expired'> {
  return await db.transaction(async (trx) => {
    const staged = await readForCommit(trx, id);
    if (staged.status === 'current' || staged.status === 'replaced') return 'committed';
    if (staged.status === 'overtaken') return 'overtaken';
    if (staged.status !== 'staged') return 'expired';
    if (staged.isExpired) {
      await failDefaultWebhook(trx, { id, status: 'abandoned', failure: 'The probes took too long' });
      return 'expired';
    }
    await replaceCurrent(trx, staged);
    await queryRows(trx, `update default_webhooks set status = 'current', verified_at = now() where id = :id`, { id });
    const { organizationId, workspaceId, actorType, actorId, requestId, clientAddress } = staged;
    await recordAudit(trx, {
      ...{ organizationId, workspaceId, requestId, clientAddress },
      actor: { type: actorType, id: actorId },
      action: 'defaultWebhook.set',
      targetId: staged.ownerPublicId,
    });
    return 'committed';
  });
}

async function readForCommit(trx: Knex, id: number): Promise<CommittedDefault> {
  const read = async () => {
    const [found] = await queryRows<CommittedDefault>(
      trx,
      `select d.organization_id as "organizationId", d.workspace_id as "workspaceId", d.status,
         d.deadline_at <= clock_timestamp() as "isExpired", coalesce(w.public_id, o.public_id) as "ownerPublicId",
         d.requested_by_type as "actorType", d.requested_by as "actorId", d.request_id as "requestId",
         d.client_address as "clientAddress"
       from default_webhooks d join organizations o on o.id = d.organization_id
       left join workspaces w on w.id = d.workspace_id where d.id = :id`,
      { id },
    );
    if (!found) throw new Error(`Default webhook ${id} does not exist`);
    return found;
  };
  await lockOwner(trx, await read());
  return await read();
}

/** Overtakes a save in progress. Channels keep what they have. */
export async function clearDefaultWebhook(
  db: Knex,
  { audit, ...owner }: DefaultOwner & { readonly audit: AuditContext },
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockOwner(trx, owner);
    await overtakeStaged(trx, owner);
    if (!(await replaceCurrent(trx, owner))) return;
    await recordAudit(trx, { ...audit, action: 'defaultWebhook.cleared', targetId: owner.publicId });
  });
}
