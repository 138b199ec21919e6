import { freePort } from '../../../dev/processes/ports.ts';
import test, { type ExecutionContext } from 'ava';
import type { ReceivedRequest } from '../../../simulator/receiver/scripted-webhook.ts';
import type { ConnectedChannel, System } from '../../harness/system/system.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';
import { viewWorkflow } from '../../harness/system/workflow-view.ts';

const token = 'verify me & more?';

test('saving a webhook sends both probes and runs a readable workflow', async (t) => {
  const { api, channel, receiver, temporal, tenant } = await sharedSystem(t);
  const connected = await channel();
  const hook = receiver.webhook('saved');
  hook.set({ verifyToken: token });

  const saved = await save({ api }, connected, { webhookUrl: `${hook.url}?own=1`, verifyToken: token });

  t.is(saved.status, 200, JSON.stringify(saved.body));
  t.like(saved.body.lastVerification.probes, [
    { probe: 'GET', outcome: 'passed', status: 200 },
    { probe: 'POST', outcome: 'passed', status: 200 },
  ]);
  t.like(saved.body, { channelId: connected.publicId, webhookUrl: `${hook.url}?own=1`, verifyToken: token });
  const [get, post, ...others] = hook.requests();
  t.is(others.length, 0);
  t.is(get!.method, 'GET');
  t.deepEqual(Object.fromEntries(new URL(get!.path, hook.url).searchParams), {
    own: '1',
    'hub.mode': 'subscribe',
    'hub.verify_token': token,
    'hub.challenge': token,
  });
  t.is(post!.method, 'POST');
  t.is(post!.path, '/webhook/saved?own=1');
  t.is(post!.bodyLength, 0);
  t.is(post!.headers['content-length'], '0');
  t.is(post!.headers['transfer-encoding'], undefined);
  for (const probe of [get!, post!]) checkProbe(t, probe);

  const listed = async () => {
    const ids = await savesOf(temporal, connected);
    return ids.length > 0 && ids;
  };
  const workflows = await until(listed, { for: 'The workflow in the list' });
  t.is(workflows.length, 1);
  t.regex(workflows[0]!, new RegExp(`^webhook-save/${connected.publicId}/\\d+$`));
  const view = await viewWorkflow(temporal, workflows[0]!);
  t.is(view.status, 'COMPLETED');
  t.is(view.summary, `webhook of ${connected.publicId}`);
  t.deepEqual(view.steps, ['probe 1: GET', 'probe 2: empty POST']);
  t.is(view.searchAttributes['ServiceWorkspaceId'], tenant.workspace.publicId);
});

test('a webhook whose probe fails is refused with advice', async (t) => {
  const { api, channel, receiver, temporal } = await sharedSystem(t);
  const connected = await channel();
  const good = receiver.webhook('good');
  good.set({ verifyToken: token });
  await save({ api }, connected, { webhookUrl: good.url, verifyToken: token });
  const { body: before } = await api.call(`GET /webhook-config/${connected.publicId}`);
  const bad = receiver.webhook('bad');
  const closed = `http://127.0.0.1:${await freePort()}/hook`;

  for (const { script, url = bad.url, says } of [
    { script: { verifyToken: 'another' }, says: [/GET probe expected status 200/, /Verify Token/, /"another"/] },
    { script: { probe: { get: { mode: 'redirect', location: good.url } } }, says: [/GET probe/, /status 302/] },
    {
      script: { verifyToken: token, probe: { post: { mode: 'redirect', location: good.url } } },
      says: [/POST probe/, /302/],
    },
    { script: {}, url: closed, says: [/GET probe/, /did not respond/] },
  ] as const) {
    bad.set({ verifyToken: null, probe: null, ...script });
    const refused = await save({ api }, connected, { webhookUrl: url, verifyToken: token });
    t.is(refused.status, 422);
    t.is(refused.body.code, 'WEBHOOK_URL_VERIFICATION_FAILED', JSON.stringify(refused.body));
    for (const pattern of says) t.regex(refused.body.message, pattern);
    const { lastVerification } = (await api.call(`GET /webhook-config/${connected.publicId}`)).body;
    const [get, post] = lastVerification.probes;
    t.is(post.outcome === 'not_sent', get.outcome !== 'passed');
    t.true(refused.body.message.includes(get.found ?? post.found));
  }

  const { body: after } = await api.call(`GET /webhook-config/${connected.publicId}`);
  t.deepEqual({ ...after, lastVerification: null }, { ...before, lastVerification: null });
  t.is(good.requests().length, 2, 'no redirect was followed');
  await until(async () => (await savesOf(temporal, connected)).length >= 5, { for: 'Every save in the list' });
});

async function save({ api }: Pick<System, 'api'>, { publicId }: ConnectedChannel, body: object) {
  return await api.callUntilDone(`PUT /webhook-config/${publicId}`, body);
}

function checkProbe(t: ExecutionContext, { headers }: ReceivedRequest): void {
  t.is(headers['x-service-probe'], 'webhook-verification');
  t.is(headers['user-agent'], 'Service-Webhook-Verifier/1.0');
  for (const name of ['x-service-signature-256', 'webhook-signature', 'x-service-delivery-id', 'webhook-id']) {
    t.is(headers[name], undefined, name);
  }
}

async function savesOf(temporal: System['temporal'], { publicId }: ConnectedChannel): Promise<string[]> {
  const query = `WorkflowType = 'saveWebhook' and ServiceChannelId = '${publicId}'`;
  const ids: string[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(workflowId);
  return ids;
}
