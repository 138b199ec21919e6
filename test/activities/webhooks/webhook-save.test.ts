import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { createDestinationActivities } from '../../../activities/destinations/destination-activities.ts';
import { createWebhookSaveActivities } from '../../../activities/webhooks/webhook-save-activities.ts';
import { parseCidrs } from '../../../contract/addresses/classify-address.ts';
import { readWebhookConfig, stageCandidate } from '../../../db/webhooks/configs.ts';
import { NotSent } from '../../../activities/deliveries/send-delivery.ts';
import { createEgress } from '../../../egress/client.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import type { WebhookScript } from '../../../simulator/receiver/scripted-webhook.ts';
import { hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { withLongerLimits } from '../../harness/time/longer-limits.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { testSecretBox } from '../../harness/tenants.ts';

const TOKEN = 'sesame +&%/="1';

async function stagedSave(
  t: ExecutionContext,
  script: WebhookScript = {},
  { allow = '127.0.0.0/8', timeoutMs = 120_000 } = {},
) {
  const ledger = await hotLedger(t);
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  const egress = createEgress({ allowCidrs: parseCidrs(allow), allowHttp: true, timeoutMs });
  t.teardown(() => egress.close());
  const webhook = receiver.webhook('main');
  webhook.set({ verifyToken: TOKEN, ...script });
  const log = rememberingLog();
  const { receivers: receiverShares } = createWorkerShares();
  const activities = createWebhookSaveActivities({
    receiverShares,
    signalCircuits: () => undefined,
    db: ledger.db,
    secretBox: testSecretBox,
    egress,
    log,
  });
  const channel = { channelId: ledger.channel.id, channelPublicId: ledger.channel.publicId };
  const save = { ...channel, url: webhook.url, verifyToken: TOKEN, deadlineMs: 600_000 };
  const candidateId = await stageCandidate(ledger.db, testSecretBox, save);
  const candidate = async () => (await ledger.db('webhook_candidates').where({ id: candidateId }))[0];
  const config = () => readWebhookConfig(ledger.db, testSecretBox, channel);
  const staged = { candidateId, candidate, config, channelKey: channel };
  return { ...ledger, ...staged, egress, webhook, log, activities };
}

test('the GET probe passes when the token is returned', async (t) => {
  const { activities, candidateId, webhook, candidate } = await stagedSave(t);
  t.is(await activities.probeVerifyToken({ candidateId }), 'passed');
  const [probe] = webhook.requests();
  t.is(probe!.method, 'GET');
  const query = new URL(probe!.path, 'http://receiver').searchParams;
  t.is(query.get('hub.mode'), 'subscribe');
  t.is(query.get('hub.verify_token'), TOKEN);
  t.is(query.get('hub.challenge'), TOKEN);
  t.is((await candidate()).status, 'staged');
});

test('a refused GET probe says that no one was shown the token', async (t) => {
  const { activities, channelKey, db, webhook, candidateId } = await stagedSave(t, { probe: { get: { status: 403 } } });
  const failureOf = async (id: number) => {
    t.is(await activities.probeVerifyToken({ candidateId: id }), 'failed');
    return (await db('webhook_candidates').where({ id }))[0].failure;
  };
  t.notRegex(await failureOf(candidateId), /not been shown/, 'the caller sent the token');
  const id = await stageCandidate(db, testSecretBox, { ...channelKey, url: webhook.url, deadlineMs: 600_000 });
  t.regex(await failureOf(id), /status 403.*has not been shown to anyone yet: start the receiver with .*VERIFY_TOKEN/);
});

test('the POST probe is empty and unsigned and passes with any 2xx', async (t) => {
  const { activities, candidateId, webhook } = await stagedSave(t, { probe: { post: { status: 204 } } });
  t.is(await activities.probeEmptyPost({ candidateId }), 'passed');
  const { method, headers, bodyLength } = webhook.requests()[0]!;
  t.is(method, 'POST');
  t.is(bodyLength, 0);
  const { host, connection, ...sent } = headers;
  t.truthy(host);
  t.not(connection, 'close');
  t.deepEqual(sent, {
    'accept-encoding': 'identity',
    'content-length': '0',
    'user-agent': 'Service-Webhook-Verifier/1.0',
    'x-service-probe': 'webhook-verification',
  });
});

test('a probe that finds no connection is repeated and not recorded', async (t) => {
  const { activities, candidateId, egress, candidate } = await stagedSave(t);
  await egress.close();
  await t.throwsAsync(() => activities.probeVerifyToken({ candidateId }), { instanceOf: NotSent });
  await t.throwsAsync(() => activities.probeEmptyPost({ candidateId }), { instanceOf: NotSent });
  t.like(await candidate(), { status: 'staged', probes: {} });
});

const SHORT_MS = 500;

const failures: Readonly<Record<string, [WebhookScript, RegExp, isEndless?: boolean]>> = {
  'another token': [{ verifyToken: 'other' }, /body was different: "other"/],
  'a redirect to the right answer': [{ probe: { get: { mode: 'redirect', location: '/' } } }, /status 302/],
  'a body that never ends': [
    { probe: { get: { mode: 'drip', dripMs: 20, body: TOKEN } } },
    /body was cut off \(timeout\)/,
    true,
  ],
  'a reset connection': [{ probe: { get: { mode: 'reset' } } }, /did not respond \(reset\)/],
};

for (const [what, [script, failureText, isEndless]] of Object.entries(failures)) {
  test(`the GET probe fails on ${what} and records the reason`, async (t) => {
    const act = async (timeoutMs: number) => {
      const { activities, candidateId, candidate, config } = await stagedSave(t, script, { timeoutMs });
      const outcome = await activities.probeVerifyToken({ candidateId });
      return { config, outcome, ...(await candidate()) };
    };
    const isTooEarly = (row: { readonly failure: string }): boolean => /did not respond/.test(row.failure);
    const { config, outcome, status, failure, probes } = await (isEndless
      ? withLongerLimits(act, { isTooEarly })
      : act(60_000));
    t.deepEqual([outcome, status], ['failed', 'failed']);
    t.regex(failure, failureText);
    t.true(failure.includes(probes.GET.found));
    t.is((await config()).webhookUrl, null);
  });
}

test('the row holds status, duration and response of each probe', async (t) => {
  const post = { status: 500, body: 'a\0b \u{1f600}' };
  const { activities, candidateId, candidate } = await stagedSave(t, { probe: { post } });
  await activities.probeVerifyToken({ candidateId });
  t.like((await candidate()).probes.GET, { outcome: 'passed', status: 200, found: null, responseBody: null });
  await activities.probeVerifyToken({ candidateId });
  t.deepEqual(Object.keys((await candidate()).probes), ['GET'], 'a repeat adds no entry');
  t.is(await activities.probeEmptyPost({ candidateId }), 'failed');
  const { probes } = await candidate();
  t.like(probes.POST, { outcome: 'rejected', status: 500, responseBody: 'a\ufffdb \u{1f600}', error: null });
  t.true(Number.isInteger(probes.POST.durationMs));
});

test('a response that echoes the Verify Token is stored redacted', async (t) => {
  const { activities, candidateId, candidate } = await stagedSave(t, {
    probe: { get: { status: 404, body: `no page at ?hub.verify_token=${TOKEN}` } },
  });
  await activities.probeVerifyToken({ candidateId });
  const { failure, probes } = await candidate();
  t.is(probes.GET.responseBody, 'no page at ?hub.verify_token=[Verify Token]');
  t.false(`${failure}${JSON.stringify(probes)}`.includes('sesame'));
});

for (const [what, post, failureText, options] of [
  ['a redirect', { mode: 'redirect', location: '/' }, /status 302/],
  ['no answer in time', { mode: 'hang' }, /timeout/, { timeoutMs: SHORT_MS }],
] as const) {
  test(`the POST probe fails on ${what}`, async (t) => {
    const { activities, candidateId, candidate } = await stagedSave(t, { probe: { post } }, options);
    t.is(await activities.probeEmptyPost({ candidateId }), 'failed');
    t.regex((await candidate()).failure, failureText);
  });
}

test('a URL that resolves to a forbidden address is blocked', async (t) => {
  const { activities, candidateId, candidate, webhook } = await stagedSave(t, {}, { allow: '' });
  t.is(await activities.probeVerifyToken({ candidateId }), 'blocked');
  t.is((await candidate()).status, 'blocked');
  t.deepEqual(webhook.requests(), []);
});

test('result and log of a probe contain neither token nor URL', async (t) => {
  const { activities, candidateId, log, webhook } = await stagedSave(t, { verifyToken: 'other' });
  const output = JSON.stringify([await activities.probeVerifyToken({ candidateId }), log.lines]);
  t.false(output.includes('sesame'));
  t.false(output.includes(webhook.url));
});

test('an overtaken candidate is not probed', async (t) => {
  const { activities, candidateId, db, webhook } = await stagedSave(t);
  await db('webhook_candidates').where({ id: candidateId }).update({ status: 'overtaken' });
  t.is(await activities.probeVerifyToken({ candidateId }), 'overtaken');
  t.is(await activities.probeEmptyPost({ candidateId }), 'overtaken');
  t.deepEqual(webhook.requests(), []);
});

test('a commit makes the candidate the webhook; a repeat changes nothing', async (t) => {
  const { activities, candidateId, config, webhook, db } = await stagedSave(t);
  t.is(await activities.commitCandidate({ candidateId }), 'committed');
  const first = await config();
  t.like(first, { webhookUrl: webhook.url, verifyToken: TOKEN });
  t.is(await activities.commitCandidate({ candidateId }), 'committed');
  t.deepEqual(await config(), first);
  t.is((await db('destinations')).length, 1);
});

test('an unknown candidate fails permanently', async (t) => {
  const { activities } = await stagedSave(t);
  const failure = await t.throwsAsync(activities.probeVerifyToken({ candidateId: 404 }), {
    instanceOf: ApplicationFailure,
  });
  t.true(failure.nonRetryable);
  t.is(failure.type, 'CandidateNotFound');
});

test('the address of a destination is checked without a call', async (t) => {
  const { db, pool, egress, webhook, channel } = await stagedSave(t);
  const activities = createDestinationActivities({ pool, egress });
  const row = { channel_id: channel.id, type: 'webhook', deleted_at: new Date() };
  const judged = async (url: string) => {
    const [{ id }] = await db('destinations').insert({ ...row, url }, 'id');
    return activities.checkDestinationAddress({ destinationId: id });
  };
  t.is(await judged(webhook.url), 'allowed');
  t.is(await judged('http://10.0.0.1/hook'), 'blocked');
  t.is(await judged('http://[::1]/hook'), 'blocked');
  t.is(await judged('ftp://127.0.0.1/hook'), 'blocked');
  t.deepEqual(webhook.requests(), []);
  const failure = await t.throwsAsync(activities.checkDestinationAddress({ destinationId: 404 }), {
    instanceOf: ApplicationFailure,
  });
  t.is(failure.type, 'DestinationNotFound');
});
