import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { Scope } from '../../../contract/identity/scopes.ts';
import { insertAgentCredential } from '../../../db/people/agent-credentials.ts';
import type { User } from '../../../db/people/users.ts';
import { commitCandidate } from '../../../db/webhooks/candidates.ts';
import { testApi } from '../api/api.ts';
import { rotating, tokenKeys } from '../channels/channel-tokens.ts';
import { aWebhook } from '../deliveries/ledger.ts';
import { aSession } from '../people/sessions.ts';
import { aChannel, aMember, aTenant } from '../tenants.ts';

const acting = (db: Knex): Partial<WorkflowStarts> => ({
  ...rotating(db),
  saveWebhook: async ({ candidateId }) => ({ state: 'ended', result: await commitCandidate(db, { candidateId }) }),
});

export async function revealStage(
  t: ExecutionContext,
  { temporal = acting }: { temporal?: (db: Knex) => Partial<WorkflowStarts> } = {},
) {
  const api = await testApi(t, { starts: temporal });
  const { db } = api;
  const tenant = await aTenant(db);
  const { organization, workspace } = tenant;
  const channel = await aChannel(db, workspace);
  await aWebhook(db, channel);
  const inWorkspace = async (role: string): Promise<User> => {
    const user = await aMember(db, organization, 'member');
    await db('workspace_members').insert({ workspace_id: workspace.id, user_id: user.id, role });
    return user;
  };
  const sessionOf = async (user: User) => ({
    headers: (await aSession(db, user)).headers,
    workspace: workspace.publicId,
  });
  const agentOf = async (user: User, scopes: readonly Scope[]) => {
    const owner = { organizationId: organization.id, userId: user.id };
    const keys = await tokenKeys(db);
    const agent = await db.transaction((trx) => insertAgentCredential(trx, keys, { ...owner, scopes }));
    return { ...agent, at: { key: agent.token, workspace: workspace.publicId } };
  };
  return {
    ...api,
    tenant,
    channel,
    inWorkspace,
    sessionOf,
    agentOf,
    at: { key: tenant.apiKey, workspace: workspace.publicId },
    tokenPath: `/platform/channels/${channel.publicId}/token`,
    envPath: `/platform/channels/${channel.publicId}/env`,
    configPath: `/webhook-config/${channel.publicId}`,
    org: `/organizations/${organization.publicId}`,
  };
}
