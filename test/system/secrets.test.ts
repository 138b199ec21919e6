import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { workflowTypes } from '../../workflows/workflow-types.ts';
import { findCanaries, workflowTexts, type Canaries, shownTexts } from '../harness/system/canaries.ts';
import { strangeLines } from '../harness/system/captured-log.ts';
import { retryDelivery, untilStatuses } from '../harness/system/delivery-watch.ts';
import { loseDatabase } from '../harness/system/lose-database.ts';
import { startSender, type Sender } from '../harness/system/platform-sender.ts';
import { startSystem, type ConnectedChannel, type System } from '../harness/system/system.ts';
import { type Collector, startCollector } from '../harness/traces/otlp-collector.ts';
import { tracedEnv } from '../harness/traces/traced-env.ts';
import { until } from '../harness/until.ts';

const canary = (name: string): string => `${name}-${randomBytes(12).toString('hex')}`;

const expectedKinds = [
  'channel-token',
  'delivery',
  'delivery-pump',
  'destination-check',
  'installation',
  'webhook-save',
];

const schedules = Object.values(workflowTypes).flatMap((type) => ('scheduleId' in type ? [type.scheduleId] : []));
const isScheduled = (kind: string): boolean => schedules.some((id) => kind.startsWith(`${id}-`));

test('logs, workflows and traces contain no secret and no body', async (t) => {
  const secrets = givenSecrets();
  const collector = await startCollector(t);
  const env = { ...tracedEnv(collector), LOG_LEVEL: 'trace', RETRY_SCHEDULE_SECONDS: '600' };
  const system = await startSystem(t, { env });
  const { api, apis, channel, lines, temporal, workers } = system;
  const sender = await startSender(t, system);
  const connected = await channel();
  const canaries: Canaries = { ...secrets, ...(await keptSecrets(system, connected)) };

  await saveBadlyThenWell(system, connected, secrets);
  await deliverWithTrouble({ ...system, sender, connected }, secrets);
  await callBadly(system, secrets);
  await loseDatabase(system.db);
  await until(async () => (await api.call('GET /platform/channels')).status === 200, {
    for: 'The API with its database',
  });
  const workflows = await workflowTexts(temporal);
  for (const one of [...workers, ...apis]) await one.stop();

  const kinds = new Set(workflows.map(({ workflowId }) => workflowId.replace(/\/.*/, '')));
  // Schedules start theirs at any moment.
  t.deepEqual([...kinds].filter((kind) => !isScheduled(kind)).sort(), expectedKinds);
  allAreRead(t, { lines, workflows, collector, connected });
  const read = [...shownTexts({ lines, workflows }), ...collector.texts.map((text) => ({ place: 'a span', text }))];
  t.deepEqual(
    read.flatMap((one) => findCanaries(canaries, one)),
    [],
  );
  t.deepEqual(strangeLines(lines), [], 'each line is one JSON object, even without a database');
});

interface Read extends Pick<System, 'lines'> {
  readonly workflows: Awaited<ReturnType<typeof workflowTexts>>;
  readonly collector: Collector;
  readonly connected: ConnectedChannel;
}

/** A search that reads nothing would find nothing. */
function allAreRead(t: ExecutionContext, { lines, workflows, collector, connected }: Read): void {
  t.true(
    workflows.some(({ text }) => text.includes('"candidateId":')),
    'payloads are read',
  );
  t.true(
    lines.some((line) => line.includes(connected.publicId)),
    'lines are read',
  );
  t.true(
    collector.spans.some(({ attributes }) => attributes['channel.id'] === connected.publicId),
    'spans are read',
  );
}

function givenSecrets() {
  return {
    verifyToken: canary('verify'),
    wrongToken: canary('wrong'),
    urlQuery: canary('query'),
    messageText: canary('text'),
    receiverAnswer: canary('answer'),
    wrongApiKey: `hmok_${canary('key')}`,
    brokenBody: canary('broken'),
    platformToken: 'platform-token',
  };
}

async function keptSecrets(
  { api, databaseUrl, platformSecret, tenant }: System,
  { publicId }: ConnectedChannel,
): Promise<Canaries> {
  const { body } = await api.call(`GET /webhook-config/${publicId}/hmac`);
  const { body: first } = await api.call(`GET /platform/channels/${publicId}/token`);
  const { body: second } = await api.callUntilDone(`POST /platform/channels/${publicId}/token/rotate`);
  return {
    hmacSecret: body.hmacSecret.slice('whsec_'.length),
    firstToken: first.token,
    secondToken: second.token,
    apiKey: tenant.apiKey,
    platformSecret,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    databasePassword: new URL(databaseUrl).password,
  };
}

type Secrets = ReturnType<typeof givenSecrets>;

async function saveBadlyThenWell(
  { api, receiver }: System,
  { publicId }: ConnectedChannel,
  secrets: Secrets,
): Promise<void> {
  const hook = receiver.webhook('secrets');
  const body = { webhookUrl: `${hook.url}?key=${secrets.urlQuery}`, verifyToken: secrets.verifyToken };
  hook.set({ verifyToken: secrets.wrongToken });
  await api.call(`PUT /webhook-config/${publicId}`, body);
  hook.set({ verifyToken: secrets.verifyToken, probe: { post: { status: 500, body: secrets.receiverAnswer } } });
  await api.call(`PUT /webhook-config/${publicId}`, body);
  hook.set({ probe: null });
  const saved = await api.callUntilDone(`PUT /webhook-config/${publicId}`, body);
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  const events = ['chatapp.message.received'];
  const created = await api.callUntilDone(`POST /channels/${publicId}/subscriptions`, { url: body.webhookUrl, events });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
}

type Trouble = System & { readonly sender: Sender; readonly connected: ConnectedChannel };

async function deliverWithTrouble({ api, receiver, sender, connected }: Trouble, secrets: Secrets): Promise<void> {
  const hook = receiver.webhook('secrets');
  hook.set({ then: { status: 503, body: secrets.receiverAnswer, headers: { 'x-note': secrets.receiverAnswer } } });
  await sender.message(connected, { text: secrets.messageText });
  const ids = await untilStatuses(api, { channel: connected, statuses: ['retrying', 'retrying'] });
  hook.set({ then: null });
  for (const id of ids) await retryDelivery(api, id);
  await untilStatuses(api, { channel: connected, statuses: ['delivered', 'delivered'] });
}

async function callBadly({ api, apiUrls }: System, secrets: Secrets): Promise<void> {
  const headers = { authorization: `Bearer ${secrets.wrongApiKey}`, 'x-workspace-id': secrets.brokenBody };
  await fetch(`${apiUrls[0]}/platform/channels?cursor=${secrets.brokenBody}`, { headers });
  await fetch(`${apiUrls[0]}/platform/webhooks`, { method: 'POST', body: secrets.brokenBody });
  await api.call('PUT /webhook-config/ch_00000000', `{"verifyToken":"${secrets.brokenBody}`);
  await api.call(`GET /platform/channels?cursor=${secrets.brokenBody}`);
}
