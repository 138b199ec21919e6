import test from 'ava';
import { onceByKey } from '../../../api/operations/once-by-key.ts';
import { findChannelRecord } from '../../../db/channels/records.ts';
import {
  beginIdempotentCall,
  loseIdempotentCall,
  renewIdempotentCall,
} from '../../../db/operations/idempotent-calls.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { insertErasure } from '../../../db/erasures/erasures.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { eventually } from '../../harness/eventually.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const text = (body: string) => ({ to: '15551230001', text: body });
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

test('a repeat returns the first answer without another call', async (t) => {
  const { ok, platform } = await platformStage(t, 'chatapp');
  const first = await ok('POST /messages', text('a'), keyed('one'));
  t.deepEqual(await ok('POST /messages', { text: 'a', to: '15551230001' }, keyed('one')), first);
  t.is(platform.messaging.sent().length, 1);
  t.notDeepEqual(await ok('POST /messages', text('a'), keyed('two')), first);
  t.notDeepEqual(await ok('POST /messages', text('a')), first);
  t.is(platform.messaging.sent().length, 3);
});

test('a key belongs to one request of one operation', async (t) => {
  const { ok, expectRefusal, platform } = await platformStage(t, 'pageapp');
  await ok('POST /pageapp/posts', { kind: 'text', message: 'a' }, keyed('one'));
  await expectRefusal('IDEMPOTENCY_KEY_REUSED', 'POST /pageapp/posts', { kind: 'text', message: 'b' }, keyed('one'));
  await ok('POST /messages', { to: '250000000001101', text: 'a' }, keyed('one'));
  const [first, second] = platform.content.objects('post').filter(({ accountId }) => accountId === '300000000000011');
  await ok(`DELETE /pageapp/posts/${first!.id}`, undefined, keyed('three'));
  await ok(`DELETE /pageapp/posts/${first!.id}`, undefined, keyed('three'));
  await expectRefusal('IDEMPOTENCY_KEY_REUSED', `DELETE /pageapp/posts/${second!.id}`, undefined, keyed('three'));
});

test('concurrent requests with one key send one message', async (t) => {
  const { call, platform } = await platformStage(t, 'chatapp');
  platform.messaging.control({ faults: [{ at: 'send', delayMs: 60_000 }] });
  const requests = Array.from({ length: 6 }, () => call('POST /messages', text('a'), keyed('one')));
  await eventually(() => platform.messaging.calls().length === 1);
  platform.messaging.release();
  const answers = await Promise.all(requests);
  t.deepEqual(fieldsOf(answers, 'status'), [200, 200, 200, 200, 200, 200]);
  t.is(new Set(answers.map(({ body }) => body.messageId)).size, 1);
  t.is(platform.messaging.sent().length, 1);
});

test('a repeat that waited too long is refused for now', async (t) => {
  const { db, channel } = await platformStage(t, 'chatapp');
  const record = await findChannelRecord(db, channel);
  const { promise, resolve } = Promise.withResolvers<string>();
  const call = (more: object) =>
    onceByKey(
      { db, log: rememberingLog() },
      {
        channel: record!,
        operationId: 'sendMessage',
        idempotencyKey: 'one',
        content: {},
        check: 'Look first.',
        readAnswer: String,
        act: () => promise,
        ...more,
      },
    );
  const first = call({});
  await eventually(async () => (await db('idempotent_calls')).length === 1);
  for (const more of [{ waitMs: 0 }, { signal: AbortSignal.abort() }]) {
    const error = await t.throwsAsync(call(more), { message: /still running; nothing was sent again/ });
    t.like(error, { code: 'IDEMPOTENCY_KEY_IN_USE', statusCode: 409, headers: { 'retry-after': '5' } });
  }
  resolve('done');
  t.deepEqual(await Promise.all([first, call({})]), ['done', 'done']);
});

test('a call whose process died is unknown', async (t) => {
  const { db, call, platform, channel, expectRefusal } = await platformStage(t, 'chatapp');
  platform.messaging.control({ faults: [{ at: 'send', delayMs: 60_000 }] });
  const first = call('POST /messages', text('a'), keyed('one'));
  await eventually(() => platform.messaging.calls().length === 1);
  for (const until of [new Date(0), null]) {
    await db('idempotent_calls').where({ channel_id: channel.id }).update({ running_until: until });
    t.regex(
      await expectRefusal('PLATFORM_OUTCOME_UNKNOWN', 'POST /messages', text('a'), keyed('one')),
      /nothing was sent again/,
    );
  }
  platform.messaging.release();
  t.is((await first).status, 200);
  t.is((await call('POST /messages', text('a'), keyed('one'))).status, 200);
  t.is(platform.messaging.sent().length, 1);
});

test('a repeat of a call that was refused meanwhile makes its own', async (t) => {
  const { call, platform } = await platformStage(t, 'chatapp');
  platform.messaging.control({ faults: [{ at: 'send', delayMs: 60_000, code: 131056, times: 1 }] });
  const first = call('POST /messages', text('a'), keyed('one'));
  await eventually(() => platform.messaging.calls().length === 1);
  const second = call('POST /messages', text('a'), keyed('one'));
  platform.messaging.release();
  t.deepEqual([(await first).status, (await second).status], [429, 200]);
  t.is(platform.messaging.sent().length, 1);
});

test('a running call is renewed', async (t) => {
  const { db, channel } = await platformStage(t, 'chatapp');
  const hash = Buffer.alloc(32);
  const taken = { channelId: channel.id, operation: 'sendMessage', keyHash: hash, requestHash: hash };
  const begun = await beginIdempotentCall(db, taken);
  const id = begun.kind === 'fresh' ? begun.id : Number.NaN;
  await db('idempotent_calls').update({ running_until: new Date(0) });
  await renewIdempotentCall(db, { id });
  t.is((await beginIdempotentCall(db, taken)).kind, 'running');
  await loseIdempotentCall(db, { id });
  await renewIdempotentCall(db, { id });
  t.is((await beginIdempotentCall(db, taken)).kind, 'lost');
});

test('a refusal releases the key', async (t) => {
  const { ok, expectRefusal, platform } = await platformStage(t, 'chatapp');
  platform.messaging.control({ faults: [{ at: 'send', code: 131047, times: 1 }] });
  await expectRefusal('MESSAGING_WINDOW_CLOSED', 'POST /messages', text('a'), keyed('one'));
  t.truthy((await ok('POST /messages', text('b'), keyed('one'))).messageId);
});

test('a lost answer keeps the key and sends nothing again', async (t) => {
  const { expectRefusal, platform, calls } = await platformStage(t, 'chatapp');
  platform.messaging.control({ faults: [{ at: 'send', lost: 'after', times: 1 }] });
  for (let count = 0; count < 3; count++) {
    await expectRefusal('PLATFORM_OUTCOME_UNKNOWN', 'POST /messages', text('a'), keyed('one'));
  }
  await expectRefusal('IDEMPOTENCY_KEY_REUSED', 'POST /messages', text('b'), keyed('one'));
  t.is(platform.messaging.sent().length, 1);
  t.is(calls.length, 1);
});

test('a repeat after an erasure is refused and sends nothing', async (t) => {
  const { ok, expectRefusal, platform, db, organization } = await platformStage(t, 'chatapp');
  await ok('POST /messages', text('a'), keyed('one'));
  const sender = text('a').to;
  const scope = { kind: 'sender', sender, eventId: null, workspaceId: null, channelId: null } as const;
  const publicId = await insertErasure(db, { ...scope, organizationId: organization.id, reason: 'asked for' });
  while ((await eraseSlice(db, publicId, { lateMs: 0 }))?.status === 'erasing');
  await expectRefusal('ANSWER_ERASED', 'POST /messages', text('a'), keyed('one'));
  t.is(platform.messaging.sent().length, 1);
});

test('a repeat is answered after the channel was disconnected', async (t) => {
  const { ok, expectRefusal, db, channel } = await platformStage(t, 'chatapp');
  const first = await ok('POST /messages', text('a'), keyed('one'));
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  t.deepEqual(await ok('POST /messages', text('a'), keyed('one')), first);
  await expectRefusal('CHANNEL_DISCONNECTED', 'POST /messages', text('a'), keyed('two'));
});

test('an unexpected error keeps the key', async (t) => {
  const { db, channel } = await platformStage(t, 'chatapp');
  const record = await findChannelRecord(db, channel);
  let count = 0;
  const call = (idempotencyKey: string | null) =>
    onceByKey(
      { db, log: rememberingLog() },
      {
        channel: record!,
        operationId: 'sendMessage',
        idempotencyKey,
        content: {},
        check: 'Look first.',
        readAnswer: String,
        act: () => Promise.reject(new Error(`broken ${++count}`)),
      },
    );
  await t.throwsAsync(call('one'), { message: 'broken 1' });
  await t.throwsAsync(call('one'), { message: /first request .* is not known.*Look first/ });
  await t.throwsAsync(call(null), { message: 'broken 2' });
});

test("another workspace can't read a stored answer", async (t) => {
  const { ok, db, refused, channel, organization, apiKey: key } = await platformStage(t, 'chatapp');
  await ok('POST /messages', text('a'), keyed('one'));
  const { id } = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  await db('connection_credentials').update({ workspace_id: id });
  await db('channels').where({ id: channel.id }).update({ workspace_id: id });
  const again = { key, body: text('a'), ...keyed('one') };
  await refused('IDEMPOTENCY_KEY_REUSED', `POST /channels/${channel.publicId}/messages`, again);
});
