import test from 'ava';
import type { Knex } from 'knex';
import { commitCandidate } from '../../../db/webhooks/candidates.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { noTemporal, testApi } from '../../harness/api/api.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const passing = (db: Knex): WorkflowStarts => ({
  ...noTemporal,
  saveWebhook: async ({ candidateId }) => ({ state: 'ended', result: await commitCandidate(db, { candidateId }) }),
});

const webhookUrl = 'https://receiver.example.com/hook';

test('a channel has one verify token before and after its first save', async (t) => {
  const { db, call } = await testApi(t, { temporal: passing });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const at = { key, workspace: workspace.publicId };
  const path = `/webhook-config/${channel.publicId}`;
  const token = async () => (await call(`GET ${path}`, at)).body.verifyToken;
  const first = await token();
  t.regex(first, /^[\w-]{32}$/);
  t.is((await call(`PUT ${path}`, { ...at, body: { webhookUrl } })).body.verifyToken, first);
  t.is((await call(`DELETE ${path}`, at)).status, 204);
  const next = await token();
  t.not(next, first, 'clearing the webhook ends its token');
  t.is(await token(), next);
  t.not((await call(`GET /webhook-config/${(await aChannel(db, workspace)).publicId}`, at)).body.verifyToken, next);
});

test('a channel of an earlier release gets one verify token', async (t) => {
  const { db, call } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const at = { key, workspace: workspace.publicId };
  const [channel, other] = [await aChannel(db, workspace), await aChannel(db, workspace)];
  await db('webhook_configs').where({ channel_id: channel.id }).delete();
  await db('webhook_configs').where({ channel_id: other.id }).update({ verify_token_encrypted: null });
  for (const { publicId } of [channel, other]) {
    const envOf = async () => (await call(`GET /platform/channels/${publicId}/env`, at)).body.values.VERIFY_TOKEN;
    const tokens = new Set(await Promise.all([envOf(), envOf(), envOf()]));
    t.is(tokens.size, 1);
    t.deepEqual([...tokens], [(await call(`GET /webhook-config/${publicId}`, at)).body.verifyToken]);
  }
});
