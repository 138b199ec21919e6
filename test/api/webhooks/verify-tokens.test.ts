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
