import test from 'ava';
import { createOutboundLog, type OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('every platform call is recorded without its content', async (t) => {
  const { ok, expectRefusal, platform, calls, db, channel, workspace, resourceId } = await platformStage(t, 'chatapp');
  const to = '15551230001';
  const named = { headers: { 'x-request-id': 'my-request' } };
  await ok('POST /messages', { to, text: 'a secret wish' }, named);
  platform.messaging.control({ faults: [{ at: 'send', code: 131047, subcode: 7, times: 1 }] });
  await expectRefusal('MESSAGING_WINDOW_CLOSED', 'POST /messages', { to, text: 'a secret wish' });
  platform.messaging.control({ faults: [{ at: 'send', lost: 'before', times: 1 }] });
  await expectRefusal('PLATFORM_OUTCOME_UNKNOWN', 'POST /messages', { to, text: 'a secret wish' });
  const path = `${resourceId}/messages`;
  t.like(calls, [
    { callerRequestId: 'my-request', status: 200, error: null },
    { status: 400, error: '131047/7' },
    { status: null },
  ]);
  t.regex(calls[2]?.error ?? '', /did not answer/);
  const [first] = calls;
  t.like(first, { channelId: channel.id, workspaceId: workspace.id, via: 'api', operation: 'sendMessage', path });
  t.regex(first?.caller ?? '', /^key_/);
  t.true(calls[1]?.platformRequestId !== null);

  const log = createOutboundLog({ db, log: rememberingLog() });
  for (const call of calls) log.record(call);
  await log.stop();
  const listed = await ok('GET /outbound-calls');
  t.false(/secret wish|15551230001|appsecret/.test(JSON.stringify(listed)));
  t.deepEqual(fieldsOf(listed.outboundCalls, 'status'), [null, 400, 200]);
  for (const id of ['my-request', calls[0]?.requestId]) {
    t.deepEqual((await ok(`GET /outbound-calls?requestId=${id}`)).outboundCalls, [listed.outboundCalls[2]]);
  }
  t.like(listed.outboundCalls[2], { channelId: channel.publicId, via: 'api', method: 'POST', path });
});

test('calls that were not sent are not recorded', async (t) => {
  const seen: OutboundCall[] = [];
  const outbound = { record: (call: OutboundCall) => void seen.push(call), stop: () => Promise.resolve() };
  const { db, refused, workspace, key } = await tenantStage(t, { outbound });
  const { publicId } = await aChannel(db, workspace, { type: 'pageapp' });
  const body = { kind: 'text', message: 'a' };
  await refused('PLATFORM_UNAVAILABLE', `POST /channels/${publicId}/pageapp/posts`, { key, body });
  t.deepEqual(seen, []);
});

test('calls are searched by request and time within one workspace', async (t) => {
  const { db, call, refused, workspace, key } = await tenantStage(t);
  const other = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const log = createOutboundLog({ db, log: rememberingLog() });
  for (let minute = 0; minute < 5; minute++) {
    log.record({
      channelId: channel.id,
      workspaceId: workspace.id,
      via: 'gateway',
      caller: 'hmat_abc',
      operation: null,
      method: 'GET',
      path: 'x',
      status: 200,
      error: null,
      durationMs: 1.4,
      platformRequestId: null,
      requestId: `request-${minute % 2}`,
      startedAt: new Date(Date.UTC(2030, 0, 1, 0, minute)),
    });
  }
  await log.stop();
  const path = `/channels/${channel.publicId}/outbound-calls`;
  const list = async (query: string) => (await call(`GET ${path}?${query}`, { key })).body;
  t.is((await list('requestId=request-1')).outboundCalls.length, 2);
  t.is((await list('since=2030-01-01T00:01:00Z&until=2030-01-01T00:03:00Z')).outboundCalls.length, 2);
  const first = await list('limit=3');
  const second = await list(`limit=3&cursor=${first.nextCursor}`);
  t.is(new Set([...first.outboundCalls, ...second.outboundCalls].map(({ startedAt }) => startedAt)).size, 5);
  t.is(second.nextCursor, null);
  await refused('VALIDATION_ERROR', `GET ${path}?cursor=___`, { key });
  await refused('CHANNEL_NOT_FOUND', `GET ${path}`, { key: other.apiKey });
});
