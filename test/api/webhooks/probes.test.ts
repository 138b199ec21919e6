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

test('a refused save answers four fields, and the webhook shows its probes', async (t) => {
  const { db, call, refused } = await testApi(t, { temporal: failing });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const at = { key, workspace: workspace.publicId };
  const path = `/webhook-config/${channel.publicId}`;
  const { body } = await refused('WEBHOOK_URL_VERIFICATION_FAILED', `PUT ${path}`, { ...at, body: { webhookUrl } });
  t.deepEqual(Object.keys(body), ['statusCode', 'code', 'message', 'requestId']);
  const { webhookUrl: saved, lastVerification } = (await call(`GET ${path}`, at)).body;
  t.is(saved, null);
  t.like(lastVerification, { url: webhookUrl, ok: false, failure: 'The POST probe failed.' });
  const [expectedOfGet, expectedOfPost] = [/status 200 with the Verify Token/, /a 2xx status/];
  for (const [index, expected] of [expectedOfGet, expectedOfPost].entries()) {
    t.regex(lastVerification.probes[index].expected, expected);
    delete lastVerification.probes[index].expected;
  }
  t.deepEqual(lastVerification.probes, [
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
  const { code, ...rest } = refusalOf(await client.callTool({ name: 'putWebhookConfig', arguments: given }));
  t.is(code, 'WEBHOOK_URL_VERIFICATION_FAILED');
  t.deepEqual(Object.keys(rest).sort(), ['message', 'requestId', 'statusCode']);
  const { workspaceId } = given;
  const read = await client.callTool({ name: 'getWebhookConfig', arguments: { workspaceId, channelId } });
  t.like(Object(read.structuredContent)['lastVerification'].probes, [
    { outcome: 'passed' },
    { outcome: 'rejected', status: 500, responseBody: 'oops' },
  ]);
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
  await refused('WEBHOOK_URL_VERIFICATION_FAILED', route, at);
  const read = `GET /webhook-config/${channel.publicId}`;
  const verification = async () => (await call(read, { key, workspace: workspace.publicId })).body.lastVerification;
  t.like((await verification()).probes, [
    { probe: 'GET', outcome: 'rejected', status: 500 },
    { probe: 'POST', outcome: 'not_sent', status: null, durationMs: null, found: null },
  ]);
  fails = false;
  const saved = (await call(route, at)).body;
  t.like(saved.lastVerification.probes, [
    { probe: 'GET', outcome: 'passed', durationMs: 12 },
    { probe: 'POST', outcome: 'passed', status: 200 },
  ]);
  t.deepEqual(await verification(), saved.lastVerification);
});
