import type { Knex } from 'knex';
import { commitDefaultWebhook, type DefaultOwner, stageDefaultWebhook } from '../../../db/webhooks/default-webhooks.ts';
import { commitCandidate } from '../../../db/webhooks/candidates.ts';
import { listRolloutResults } from '../../../db/webhooks/rollout-runs.ts';
import {
  findOpenRollout,
  listPendingChannels,
  settleSavedChannel,
  needsSave,
  stageDefaultForChannel,
} from '../../../db/webhooks/stage-default.ts';
import { createRollout, type RolloutRecord } from '../../../db/webhooks/rollouts.ts';
import { testAudit } from '../audit.ts';
import { type Tenant, testSecretBox } from '../tenants.ts';

type Owned = Pick<Tenant, 'organization' | 'workspace'>;

export function organizationOwner({ organization }: Pick<Tenant, 'organization'>): DefaultOwner {
  return { organizationId: organization.id, workspaceId: null, publicId: organization.publicId };
}

export function workspaceOwner({ organization, workspace }: Owned): DefaultOwner {
  return { organizationId: organization.id, workspaceId: workspace.id, publicId: workspace.publicId };
}

export async function stagedDefault(
  db: Knex,
  owner: DefaultOwner,
  { url = 'https://default.example.com/hook', verifyToken = 'default token', deadlineMs = 600_000 } = {},
): Promise<number> {
  return await stageDefaultWebhook(db, testSecretBox, { ...owner, url, verifyToken, deadlineMs, audit: testAudit });
}

/** A default whose probes passed. */
export async function aDefaultWebhook(
  db: Knex,
  owner: DefaultOwner,
  values: { url?: string; verifyToken?: string } = {},
): Promise<number> {
  const id = await stagedDefault(db, owner, values);
  await commitDefaultWebhook(db, id);
  return id;
}

export async function startedRollout(
  db: Knex,
  owner: DefaultOwner,
  { dryRun = false, replaceOwn = false } = {},
): Promise<RolloutRecord> {
  const created = await createRollout(db, { ...owner, dryRun, replaceOwn, key: null, audit: testAudit });
  if (created.outcome !== 'created') throw new Error(`The rollout was not created: ${created.outcome}`);
  return created.rollout;
}

/** Of the organization, which has a default then and only one running rollout. */
export async function aRollout(db: Knex, tenant: Pick<Tenant, 'organization'>): Promise<string> {
  const owner = organizationOwner(tenant);
  const [running] = await db('webhook_rollouts').where({ organization_id: tenant.organization.id, status: 'running' });
  if (running) return running.public_id as string;
  await aDefaultWebhook(db, owner);
  return (await startedRollout(db, owner)).publicId;
}

/** The steps of a rollout's workflow, whose saves all pass. */
export async function rolloutSteps(db: Knex, rolloutId: string) {
  const rollout = (await findOpenRollout(db, rolloutId))!;
  const of = (channelId: number) => ({ rollout, channelId });
  const stage = async (channelId: number): Promise<number | undefined> =>
    (await stageDefaultForChannel(db, testSecretBox, of(channelId)))?.candidateId;
  const settle = (channelId: number, candidateId: number) => settleSavedChannel(db, { ...of(channelId), candidateId });
  return {
    rolloutId,
    stage,
    settle,
    /** Returns the channels to save. */
    async settleAll(): Promise<number[]> {
      const channels: number[] = [];
      for (const id of await listPendingChannels(db, { rollout, after: 0, limit: 100 })) {
        if (await needsSave(db, testSecretBox, of(id))) channels.push(id);
      }
      return channels;
    },
    async save(channelId: number) {
      const candidateId = await stage(channelId);
      if (candidateId === undefined) return undefined;
      // However busy the machine is.
      await db('webhook_candidates')
        .where({ id: candidateId })
        .update({ deadline_at: new Date(Date.now() + 600_000) });
      await commitCandidate(db, { candidateId });
      return (await settle(channelId, candidateId)).outcome;
    },
    async results() {
      const results = await listRolloutResults(db, { rolloutId: rollout.id, after: undefined, limit: 100 });
      return results.map(({ channelPublicId, outcome, reason }) => [channelPublicId, outcome, reason]);
    },
  };
}
