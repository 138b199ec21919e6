import test, { type ExecutionContext } from 'ava';
import { channelTokenWorkflowId, credentialWorkflowId } from '../../../contract/ids.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import { createConsentTokens } from '../../../simulator/consent/tokens.ts';
import { opened } from '../../harness/channels/channel-tokens.ts';
import { testSecretBox } from '../../harness/tenants.ts';
import { type SharedSystem, sharedSystem } from '../../harness/system/shared-system.ts';
import { type ConnectedChannel, startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';
import { viewWorkflow, untilWorkflow, hasEnded } from '../../harness/system/workflow-view.ts';

const OVERLAP_SECONDS = 12;
const DAY_MS = 86_400_000;

test('a killed worker ends no overlap early and leaves no unknown token', async (t) => {
  const system = await startSystem(t);
  await killedInOverlap(t, system);
  await rotatedWithoutWorker(t, system);
});

async function killedInOverlap(t: ExecutionContext, system: System): Promise<void> {
  const { api, channel, db, temporal, tenant, workers } = system;
  const { id, publicId } = await channel();
  const path = `/platform/channels/${publicId}`;
  const { token: old } = (await api.call(`GET ${path}/token`)).body;
  const key = { 'idempotency-key': 'spring' };
  const rotated = await api.call(`POST ${path}/token/rotate`, { overlapSeconds: OVERLAP_SECONDS }, key);
  t.is(rotated.status, 200, JSON.stringify(rotated.body));
  const { token, previousTokenExpiresAt } = rotated.body;
  const before = await viewWorkflow(temporal, channelTokenWorkflowId(publicId));
  t.is(before.status, 'RUNNING');
  t.is(before.summary, `token of ${publicId}`);
  t.is(before.searchAttributes['ServiceWorkspaceId'], tenant.workspace.publicId);
  t.is(before.searchAttributes['ServiceState'], 'overlap');

  await workers[0]!.kill9();
  t.truthy(await opened(db, old));
  t.truthy(await opened(db, token));
  await workers[0]!.start();
  t.deepEqual(
    (await api.call(`POST ${path}/token/rotate`, { overlapSeconds: OVERLAP_SECONDS }, key)).body,
    rotated.body,
  );

  await until(async () => (await opened(db, old)) === undefined, { for: 'The end of the overlap' });
  t.true(Date.now() >= Date.parse(previousTokenExpiresAt) - 50, 'not earlier than announced');
  t.truthy(await opened(db, token));
  const after = await untilWorkflow(temporal, channelTokenWorkflowId(publicId), hasEnded);
  t.is(after.status, 'COMPLETED');
  t.is(after.runId, before.runId);
  t.is(after.searchAttributes['ServiceState'], 'ended');
  t.is(after.steps.length, 3);
  t.regex(after.steps.join('\n'), /^rotation \d+\nprevious token expires at \S+Z\nend of overlap$/);
  t.is((await db('channel_tokens').where({ channel_id: id }).whereNotNull('revoked_at')).length, 1);
}

async function rotatedWithoutWorker(t: ExecutionContext, system: System): Promise<void> {
  const { api, channel, db, workers } = system;
  const { id, publicId } = await channel();
  const path = `/platform/channels/${publicId}`;
  const { token } = (await api.call(`GET ${path}/token`)).body;
  await workers[0]!.kill9();
  const given = await api.call(`POST ${path}/token/rotate`, { overlapSeconds: 0 });
  t.is(given.status, 504);
  t.is(given.body.code, 'PLATFORM_OUTCOME_UNKNOWN');
  await workers[0]!.start();
  t.is((await api.call(`GET ${path}/token`)).body.token, token);
  const again = await api.call(`POST ${path}/token/rotate`, { overlapSeconds: 0 });
  t.is(again.status, 200, JSON.stringify(again.body));
  t.truthy(await opened(db, again.body.token));
  t.deepEqual(await db('channel_token_rotations').where({ channel_id: id }).orderBy('id').pluck('status'), [
    'abandoned',
    'rotated',
  ]);
}

test('the worker refreshes expiring credentials and reports expired ones as refused', async (t) => {
  const system = await sharedSystem(t);
  const { api, db, temporal, tenant } = system;
  const soon = await system.channel();
  const dead = await system.channel();
  await expire(system, soon, Date.now() + DAY_MS);
  await expire(system, dead, Date.now() - 1_000);

  const lost = await until(
    async () => {
      const { body } = await api.call(`GET /platform/channels/${dead.publicId}`);
      return body.credentialRefusedAt !== null && body;
    },
    { for: 'The refusal' },
  );
  t.true(lost.connected);
  t.regex(lost.credentialRefusedReason, /code 190/);
  const credentialId = await until(() => refreshed(system, soon), { for: 'The refresh' });
  t.like((await api.call(`GET /platform/channels/${soon.publicId}`)).body, {
    connected: true,
    credentialRefusedAt: null,
  });
  const view = await untilWorkflow(temporal, credentialWorkflowId(credentialId), hasEnded);
  t.like(view, { status: 'COMPLETED', summary: `refresh of ${credentialId}`, steps: ['exchange 1'] });
  t.is(view.searchAttributes['ServiceState'], 'refreshed');
  const ofTenant = { organization_id: tenant.organization.id, action: 'credential.refused' };
  t.is((await db('audit_entries').where(ofTenant).first()).actor_type, 'system');
});

async function expire({ db, platformSecret }: SharedSystem, { id, resourceId }: ConnectedChannel, expiresAtMs: number) {
  const grant = { type: 'chatapp', accountIds: [resourceId], kind: 'long', expiresAtMs } as const;
  const token = createConsentTokens(platformSecret).issueToken(grant);
  const { credential_id } = await db('channels').where({ id }).first();
  const { public_id } = await db('connection_credentials').where({ id: credential_id }).first();
  await db('connection_credentials')
    .where({ id: credential_id })
    .update({
      token_encrypted: testSecretBox.seal(token, sealedContexts.credentialToken(public_id)),
      expires_at: new Date(expiresAtMs),
    });
}

async function refreshed({ db }: SharedSystem, { id }: ConnectedChannel): Promise<string | undefined> {
  const { credential_id } = await db('channels').where({ id }).first();
  const row = await db('connection_credentials').where({ id: credential_id }).first();
  return row.expires_at.getTime() > Date.now() + 50 * DAY_MS ? row.public_id : undefined;
}
