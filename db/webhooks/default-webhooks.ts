import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ProbeName } from '../../contract/webhooks/probe.ts';
import { type AuditContext, contextOfRequester, recordAudit, requesterColumns } from '../audit/record-audit.ts';
import type { RowOf } from '../core/model.ts';
import { queryRows } from '../core/query-rows.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { DefaultWebhookModel } from '../models/default-webhook.ts';
import type { ProbeRecord } from '../models/webhook-candidate.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { type Verification, withProbe } from './candidates.ts';

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

export type DefaultWebhook = RowOf<DefaultWebhookModel>;

function defaultsOf(db: Knex, { organizationId, workspaceId }: OwnerKey) {
  return DefaultWebhookModel.query(db).where({ organization_id: organizationId, workspace_id: workspaceId });
}

export async function findDefaultWebhook(db: Knex, owner: OwnerKey): Promise<DefaultWebhook | undefined> {
  return await defaultsOf(db, owner).findOne({ status: 'current' });
}

/** Returns the last finished save. */
export async function findLastDefaultVerification(db: Knex, owner: OwnerKey): Promise<Verification | undefined> {
  const last = await defaultsOf(db, owner)
    .whereIn('status', ['current', 'replaced', 'failed', 'blocked'])
    .orderBy('id', 'desc')
    .first();
  if (!last) return undefined;
  const { status, url, failure, probes, createdAt } = last;
  const isCommitted = status === 'current' || status === 'replaced';
  return { status: isCommitted ? 'committed' : status, url, failure, probes, createdAt };
}

/** The default that a new channel of the workspace gets: the workspace's, or else the organization's. */
export async function findEffectiveDefault(
  db: Knex,
  { workspaceId }: { readonly workspaceId: number },
): Promise<DefaultWebhook | undefined> {
  return await DefaultWebhookModel.query(db)
    .where({ status: 'current' })
    .where('organization_id', WorkspaceModel.query().select('organization_id').where({ id: workspaceId }))
    .where((either) => either.where({ workspace_id: workspaceId }).orWhereNull('workspace_id'))
    .orderBy('workspace_id') // null comes last
    .first();
}

export interface NewDefaultWebhook extends DefaultOwner {
  readonly url: string;
  readonly verifyToken: string;
  readonly deadlineMs: number;
  readonly audit: AuditContext;
}

/** Overtakes saves in progress. */
export async function stageDefaultWebhook(db: Knex, secretBox: SecretBox, staged: NewDefaultWebhook): Promise<number> {
  const { organizationId, workspaceId, url, verifyToken, deadlineMs, audit } = staged;
  return await db.transaction(async (trx) => {
    await lockOwner(trx, staged);
    await overtakeStaged(trx, staged);
    const { id } = await DefaultWebhookModel.query(trx).insert({
      organizationId,
      workspaceId,
      url,
      verifyTokenEncrypted: secretBox.seal(verifyToken, sealedContexts.defaultVerifyToken(staged.publicId)),
      deadlineAt: raw(`clock_timestamp() + ? * interval '1 millisecond'`, [deadlineMs]),
      ...requesterColumns(audit),
    });
    return id;
  });
}

/** Serializes the saves, clears and rollouts of an owner. */
export async function lockOwner(trx: Knex, { organizationId, workspaceId }: OwnerKey) {
  const name = `default-webhook/${organizationId}/${workspaceId ?? 0}`;
  await queryRows(trx, 'select pg_advisory_xact_lock(hashtextextended(:name, 0))', { name });
}

async function overtakeStaged(trx: Knex, owner: OwnerKey): Promise<void> {
  await defaultsOf(trx, owner).where({ status: 'staged' }).patch({ status: 'overtaken', verifyTokenEncrypted: null });
}

async function replaceCurrent(trx: Knex, owner: OwnerKey): Promise<boolean> {
  const current = defaultsOf(trx, owner).where({ status: 'current' });
  return (await current.patch({ status: 'replaced', verifyTokenEncrypted: null })) > 0;
}

export interface StagedDefault extends DefaultWebhook {
  readonly ownerPublicId: string;
  readonly workspacePublicId: string | null;
  readonly isExpired: boolean;
}

export async function findStagedDefault(db: Knex, id: number): Promise<StagedDefault | undefined> {
  return await DefaultWebhookModel.query(db)
    .joinRelated('organization')
    .leftJoinRelated('workspace')
    .select('default_webhooks.*', 'workspace.public_id as workspace_public_id')
    .select(raw('coalesce(workspace.public_id, organization.public_id) as owner_public_id'))
    .select(raw('default_webhooks.deadline_at <= clock_timestamp() as is_expired'))
    .findOne({ 'default_webhooks.id': id })
    .castTo<StagedDefault | undefined>();
}

export async function recordDefaultProbe(
  db: Knex,
  { id, probe, record }: { readonly id: number; readonly probe: ProbeName; readonly record: ProbeRecord },
): Promise<void> {
  await DefaultWebhookModel.query(db)
    .where({ id, status: 'staged' })
    .patch({ probes: withProbe(probe, record) });
}

/** Returns false if the save has ended. */
export async function failDefaultWebhook(
  db: Knex,
  end: { readonly id: number; readonly status: 'failed' | 'blocked' | 'abandoned'; readonly failure: string },
): Promise<boolean> {
  const { id, status, failure } = end;
  const staged = DefaultWebhookModel.query(db).where({ id, status: 'staged' });
  return (await staged.patch({ status, failure, verifyTokenEncrypted: null })) === 1;
}

/** Makes a staged default the current one before its deadline, unless a later save or clear overtook it. Idempotent. */
export async function commitDefaultWebhook(db: Knex, id: number): Promise<'committed' | 'overtaken' | 'expired'> {
  return await db.transaction(async (trx) => {
    await lockOwner(trx, await read(trx));
    const staged = await read(trx);
    if (staged.status === 'current' || staged.status === 'replaced') return 'committed';
    if (staged.status === 'overtaken') return 'overtaken';
    if (staged.status !== 'staged') return 'expired';
    if (staged.isExpired) {
      await failDefaultWebhook(trx, { id, status: 'abandoned', failure: 'The probes took too long' });
      return 'expired';
    }
    await replaceCurrent(trx, staged);
    await DefaultWebhookModel.query(trx)
      .findById(id)
      .patch({ status: 'current', verifiedAt: raw('now()') });
    const { organizationId, workspaceId, ownerPublicId: targetId } = staged;
    const audit = { ...contextOfRequester(staged), organizationId, workspaceId };
    await recordAudit(trx, { ...audit, action: 'defaultWebhook.set', targetId });
    return 'committed';
  });

  async function read(trx: Knex): Promise<StagedDefault> {
    const found = await findStagedDefault(trx, id);
    if (!found) throw new Error(`Default webhook ${id} does not exist`);
    return found;
  }
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
