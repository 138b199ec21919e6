import test, { type ExecutionContext } from 'ava';
import { type SeenRequest, startUpstream } from '../../gateway/stage.ts';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';
import { image, photoAccount } from '../../harness/system/photo-account.ts';
import { startSender } from '../../harness/system/platform-sender.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../harness/traces/otlp-collector.ts';
import { spanPath } from '../../harness/traces/span-path.ts';
import { tracedEnv } from '../../harness/traces/traced-env.ts';
import { until } from '../../harness/until.ts';

const platformCalls = (spans: readonly CollectedSpan[]) => spans.filter(({ name }) => name === 'platform.call');

interface TracedSystem {
  readonly system: System;
  readonly collector: Collector;
  /** Requests at the platform. */
  readonly seen: readonly SeenRequest[];
}

test('calls show what made them, and receivers may decline the header', async (t) => {
  const collector = await startCollector(t);
  const seen: SeenRequest[] = [];
  const upstream = await startUpstream(
    {
      'POST /10/messages': { json: { messages: [{ id: 'wamid.1' }] } },
      'POST /20/media': { json: { id: '21' } },
      'GET /21': { json: { id: '21', status_code: 'IN_PROGRESS' } },
    },
    seen,
  );
  t.teardown(() => upstream.stop());
  const env = { ...tracedEnv(collector), PLATFORM_API_URL: upstream.url };
  const system = await startSystem(t, { gateways: 1, env });
  const traced = { system, collector, seen };
  await Promise.all([workflowCall(t, traced), gatewayCall(t, traced), declinedHeader(t, traced)]);
});

async function workflowCall(t: ExecutionContext, { system, collector, seen }: TracedSystem): Promise<void> {
  const account = await photoAccount(system);
  await system.db('channels').where({ id: account.id }).update({ resource_id: '20' });

  const created = await account.createUntilDecided(image);
  t.is(created.status, 201, JSON.stringify(created.body));
  const isOfWorkflow = ({ attributes }: CollectedSpan): boolean => attributes['platform.via'] === 'workflow';
  const isMade = (spans: readonly CollectedSpan[]): boolean =>
    platformCalls(spans).some((call) => isOfWorkflow(call) && spanPath(spans, call).length > 3);
  const spans = await collector.untilSpans(isMade, 'The call of the workflow');

  const call = platformCalls(spans).find(isOfWorkflow);
  const [own, activity, start, ...rest] = spanPath(spans, call!);
  t.is(own, 'platform.call');
  t.regex(activity!, /^RunActivity:/);
  t.regex(start!, /^Start\w*Workflow\w*:|Update/);
  t.is(rest.at(-1), 'POST /channels/:ch/photoapp/containers');
  t.is(call?.attributes['http.request.method'], 'POST');
  const creates = seen.filter(({ path }) => path.endsWith('/20/media'));
  t.deepEqual(
    creates.map(({ headers }) => headers['traceparent']),
    [undefined],
    'the platform gets no trace header',
  );
}

async function gatewayCall(t: ExecutionContext, { system, collector, seen }: TracedSystem): Promise<void> {
  const channel = await system.channel();
  await system.db('channels').where({ id: channel.id }).update({ resource_id: '10' });
  const { body } = await system.api.call(`GET /platform/channels/${channel.publicId}/token`);

  const callers = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const answer = await fetch(`${system.gatewayUrls[0]}/platform/v22.0/10/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json', traceparent: callers },
    body: JSON.stringify({ to: '15550100001', type: 'text', text: { body: 'Hello' } }),
  });
  t.is(answer.status, 200);
  const isCalled = (spans: readonly CollectedSpan[]): boolean => spans.some(({ name }) => name === 'gateway.call');
  const spans = await collector.untilSpans(isCalled, 'The call');

  const call = platformCalls(spans).find(({ attributes }) => attributes['platform.via'] === 'gateway');
  t.deepEqual(spanPath(spans, call!), ['platform.call', 'gateway.call']);
  t.is(call?.attributes['platform.path'], '{id}/messages');
  t.false(callers.includes(call!.traceId), "the caller's trace is ignored");
  const sends = seen.filter(({ path }) => path.endsWith('/10/messages'));
  t.deepEqual(
    sends.map(({ headers }) => headers['traceparent']),
    [undefined],
  );
  const isLogged = () => system.lines.some((line) => /"gateway.forwarded"/.test(line) && line.includes(call!.traceId));
  await until(isLogged, { for: 'The line of the call' });
}

async function declinedHeader(t: ExecutionContext, { system, collector }: TracedSystem): Promise<void> {
  const sender = await startSender(t, system);
  const hook = system.receiver.webhook('plain');
  const connected = await system.channel({ webhookUrl: hook.url });
  const change = { destination: 'webhook', sendsTraceParent: false };
  t.is((await system.api.call(`PATCH /channels/${connected.publicId}/destinations`, change)).status, 200);

  await sender.message(connected);
  await untilStatuses(system.api, { channel: connected, statuses: ['delivered'] });
  await collector.untilSpans((spans) => spans.some(({ name }) => name === 'delivery.attempt'), 'The attempt');

  t.deepEqual(
    hook.deliveries().map(({ headers }) => headers['traceparent']),
    [undefined],
  );
}
