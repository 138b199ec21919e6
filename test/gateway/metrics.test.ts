import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createGatewayMeter } from '../../metrics/gateway-metrics.ts';
import { until } from '../harness/until.ts';
import { channelToken, type Script, type StageOptions, startStage } from './stage.ts';

const path = '/platform/v25.0';
const script: Script = {
  'GET /1000': { json: { id: '1000' } },
  'GET /11': ({ query }) =>
    query.has('message') ? { json: { id: '11' } } : { json: { id: '11', object: { id: '1000_1' } } },
  'GET /1000/conversations': { status: 400, json: { error: { message: 'no', type: 'OAuthException', code: 1 } } },
};

async function metered(t: ExecutionContext, options: StageOptions = {}) {
  const meter = createGatewayMeter();
  const stage = await startStage(t, { script, ...options, meter });
  const value = async (sample: string): Promise<number> => {
    const line = (await meter.register.expose()).split('\n').find((each) => each.startsWith(`${sample} `));
    return Number(line?.slice(sample.length + 1) ?? 0);
  };
  const comesTo = (sample: string, count: number) =>
    until(async () => (await value(sample)) === count, { for: `${sample} ${count}` });
  return { ...stage, meter, value, comesTo };
}

const calls = (outcome: string, product = 'pageapp') =>
  `channels_gateway_calls_total{product="${product}",outcome="${outcome}"}`;

test('calls are counted by product, outcome and code', async (t) => {
  const { call, comesTo, value } = await metered(t);
  await call(`GET ${path}/1000`);
  await call(`GET ${path}/1000/conversations`);
  await call(`GET ${path}/9000_1/comments`);
  await call(`GET ${path}/1000`, { token: null });
  await call(`PATCH ${path}/1000`);
  await comesTo(calls('answered'), 1);
  await comesTo(calls('platform_refused'), 1);
  await comesTo(calls('refused'), 2);
  await comesTo(calls('refused', 'none'), 1);
  t.is(await value('channels_gateway_refusals_total{code="PAGEAPP_SCOPE_DENIED"}'), 1);
  t.is(await value('channels_gateway_refusals_total{code="METHOD_NOT_ALLOWED"}'), 1);
  t.is(await value('channels_gateway_refusals_total{code="MISSING_BEARER"}'), 1);
});

test('an unreachable platform differs from a refused call', async (t) => {
  const { call, comesTo, value } = await metered(t, { apiUrl: 'http://127.0.0.1:1' });
  await call(`GET ${path}/1000`);
  await comesTo(calls('platform_silent'), 1);
  t.is(await value('channels_gateway_refusals_total{code="PLATFORM_UNAVAILABLE"}'), 1);
  t.is(await value('channels_gateway_platform_seconds_count{purpose="call",answer="none"}'), 1);
});

test('platform time and gateway time are measured separately', async (t) => {
  const slow: StageOptions['script'] = (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), 150);
  };
  const { call, comesTo, value } = await metered(t, { script: slow });
  await call(`GET ${path}/1000`);
  await comesTo('channels_gateway_call_seconds_count{product="pageapp"}', 1);
  const platform = await value('channels_gateway_platform_seconds_sum{purpose="call",answer="2xx"}');
  const total = await value('channels_gateway_call_seconds_sum{product="pageapp"}');
  const added = await value('channels_gateway_added_seconds_sum');
  t.true(platform >= 0.14, `${platform} s at the platform`);
  t.true(Math.abs(total - platform - added) < 0.001, `${total} = ${platform} + ${added}`);
});

test('owner lookups are counted as hits and misses', async (t) => {
  const { call, comesTo, value } = await metered(t);
  await call(`GET ${path}/11`);
  t.is(await value('channels_gateway_owner_lookups_total{found="miss"}'), 1);
  t.is(await value('channels_gateway_owner_lookups_total{found="hit"}'), 0);
  await call(`GET ${path}/11`);
  t.is(await value('channels_gateway_owner_lookups_total{found="miss"}'), 1);
  t.is(await value('channels_gateway_owner_lookups_total{found="hit"}'), 1);
  await comesTo('channels_gateway_platform_seconds_count{purpose="owner_look_up",answer="2xx"}', 1);
  await call(`GET ${path}/1000`);
  t.is(await value('channels_gateway_owner_lookups_total{found="hit"}'), 1, 'an id that shows its owner asks nothing');
});

test('a call is in flight until its response is read', async (t) => {
  let answered = 0;
  const never: StageOptions['script'] = () => void answered++;
  const { url, value, comesTo } = await metered(t, { script: never });
  t.is(await value('channels_gateway_calls_in_flight'), 0);
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  t.teardown(() => socket.destroy());
  socket.write(`GET ${path}/1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${channelToken}\r\n\r\n`);
  await comesTo('channels_gateway_calls_in_flight', 1);
  await until(() => answered > 0, { for: 'The call at the platform' });
  socket.destroy();
  await comesTo('channels_gateway_calls_in_flight', 0);
  t.is(await value(calls('caller_gone')), 1);
});

test('health checks are not counted as calls', async (t) => {
  const { call, meter } = await metered(t);
  await call('GET /healthz', { token: null });
  await call('GET /readyz', { token: null });
  t.false((await meter.register.expose()).includes('channels_gateway_calls_total{'));
});
