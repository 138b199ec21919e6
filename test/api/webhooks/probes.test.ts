import test from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import {
  commitCandidate,
  type ProbeRecord,
  recordCandidateFailure,
  recordProbe,
} from '../../../db/webhooks/candidates.ts';
import { noTemporal, testApi } from '../../harness/api/api.ts';
import { mcpClient, refusalOf } from '../../harness/api/mcp.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const webhookUrl = 'https://receiver.example.com/hook';
const nothing = { found: null, responseBody: null, error: null };
const passed: ProbeRecord = { outcome: 'passed', status: 200, durationMs: 12, ...nothing };
const found = 'the receiver answered status 500: "oops"';
const wrong: ProbeRecord = {
  outcome: 'rejected',
  status: 500,
  durationMs: 7,
  found,
  responseBody: 'oops',
  error: null,
};

/** The second probe gets status 500. */
const failing = (db: Knex): WorkflowStarts => ({
  ...noTemporal,
  saveWebhook: async ({ candidateId }) => {
    await recordProbe(db, { candidateId, probe: 'GET', record: passed });
    await recordProbe(db, { candidateId, probe: 'POST', record: wrong });
    await recordCandidateFailure(db, { candidateId, status: 'failed', failure: 'The POST probe failed.' });
    return { state: 'ended', result: 'failed' };
  },
});

test('a refused save lists its probes beside the error fields', async (t) => {
  const { db, refused } = await testApi(t, { temporal: failing });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const { body } = await refused('WEBHOOK_URL_VERIFICATION_FAILED', `PUT /webhook-config/${channel.publicId}`, {
    ...{ key, workspace: workspace.publicId, body: { webhookUrl } },
  });
  t.deepEqual(Object.keys(body), ['statusCode', 'code', 'message', 'requestId', 'probes']);
  const [expectedOfGet, expectedOfPost] = [/status 200 with the Verify Token/, /a 2xx status/];
  for (const [index, expected] of [expectedOfGet, expectedOfPost].entries()) {
    t.regex(body.probes[index].expected, expected);
    delete body.probes[index].expected;
  }
  t.deepEqual(body.probes, [
    { probe: 'GET', ...passed },
    { probe: 'POST', ...wrong },
  ]);
});

test('an MCP client that saves a webhook gets the same result', async (t) => {
  const { db, url } = await testApi(t, { temporal: failing });
  const { workspace, apiKey: key } = await aTenant(db);
  const { publicId: channelId } = await aChannel(db, workspace);
  const client = await mcpClient(t, url, { key });
  const given = { workspaceId: workspace.publicId, channelId, webhookUrl };
  const { code, probes } = refusalOf(await client.callTool({ name: 'putWebhookConfig', arguments: given }));
  t.is(code, 'WEBHOOK_URL_VERIFICATION_FAILED');
  t.like(probes, [{ outcome: 'passed' }, { outcome: 'rejected', status: 500, responseBody: 'oops' }]);
});

test('an unsent probe is reported, and a successful save lists both probes', async (t) => {
  let fails = true;
  const temporal = (db: Knex): WorkflowStarts => ({
    ...noTemporal,
    saveWebhook: async ({ candidateId }) => {
      await recordProbe(db, { candidateId, probe: 'GET', record: fails ? wrong : passed });
      if (fails) await recordCandidateFailure(db, { candidateId, status: 'failed', failure: 'The GET probe failed.' });
      else await recordProbe(db, { candidateId, probe: 'POST', record: passed });
      return { state: 'ended', result: fails ? 'failed' : await commitCandidate(db, { candidateId }) };
    },
  });
  const { db, call, refused } = await testApi(t, { temporal });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const route = `PUT /webhook-config/${channel.publicId}`;
  const at = { key, workspace: workspace.publicId, body: { webhookUrl } };
  const { probes } = (await refused('WEBHOOK_URL_VERIFICATION_FAILED', route, at)).body;
  t.like(probes, [
    { probe: 'GET', outcome: 'rejected', status: 500 },
    { probe: 'POST', outcome: 'not_sent', status: null, durationMs: null, found: null },
  ]);
  fails = false;
  const saved = (await call(route, at)).body;
  t.like(saved.probes, [
    { probe: 'GET', outcome: 'passed', durationMs: 12 },
    { probe: 'POST', outcome: 'passed', status: 200 },
  ]);
  const { body } = await call(`GET /webhook-config/${channel.publicId}`, { key, workspace: workspace.publicId });
  t.false('probes' in body, 'probes belong to the save');
});
