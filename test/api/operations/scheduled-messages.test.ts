import test, { type ExecutionContext } from 'ava';
import { requestHash } from '../../../api/routing/request-hash.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { aKey, aTenant } from '../../harness/tenants.ts';

const message = { to: '15551230001', text: 'Hello, later' };
const DAY_MS = 86_400_000;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

async function scheduledStage(t: ExecutionContext) {
  const stage = await platformStage(t, 'chatapp');
  const schedule = async (more: object = {}, headers = {}) =>
    await stage.ok('POST /scheduled-messages', { sendAt: inMs(DAY_MS), message, ...more }, { headers });
  return { ...stage, schedule };
}

test('a scheduled message is listed, changed and cancelled', async (t) => {
  const { schedule, ok, call, db, channel, calls } = await scheduledStage(t);
  const sendAt = inMs(DAY_MS);
  const scheduled = await schedule({ sendAt });
  const at = `/scheduled-messages/${scheduled.scheduledMessageId}`;
  t.like(scheduled, { channelId: channel.publicId, sendAt, status: 'scheduled', recipient: message.to, message });
  t.deepEqual(await ok(`GET ${at}`), scheduled);
  const { scheduledMessages } = await ok('GET /scheduled-messages?status=scheduled');
  t.deepEqual(scheduledMessages, [{ ...scheduled, message: null }]);
  t.deepEqual((await ok('GET /scheduled-messages?status=sent')).scheduledMessages, []);

  const changed = { sendAt: inMs(2 * DAY_MS), message: { to: '15551230002', text: 'New' } };
  t.like(await ok(`PATCH ${at}`, changed), { ...changed, recipient: '15551230002', status: 'scheduled' });
  const cancels = await Promise.all([1, 2, 3].map(() => ok(`POST ${at}/cancel`)));
  for (const cancel of cancels) t.like(cancel, { status: 'cancelled', message: null, recipient: null });
  t.like(await ok(`POST ${at}/cancel`), { status: 'cancelled' });
  const late = await call(`PATCH ${at}`, { sendAt });
  t.deepEqual([late.status, late.body.code], [409, 'MESSAGE_NOT_SCHEDULED']);
  t.deepEqual(
    await db('audit_entries').where({ target_id: scheduled.scheduledMessageId }).orderBy('id').pluck('action'),
    ['scheduledMessage.created', 'scheduledMessage.changed', 'scheduledMessage.cancelled'],
  );
  t.deepEqual(calls, [], 'nothing was sent');
});

test('scheduling answers 202 with the address of the message', async (t) => {
  const { call, path } = await scheduledStage(t);
  const answer = await call('POST /scheduled-messages', { sendAt: inMs(0), message });
  t.is(answer.status, 202);
  t.is(answer.headers.get('location'), `${path}/scheduled-messages/${answer.body.scheduledMessageId}`);
});

test('the content is sealed in the database', async (t) => {
  const { schedule, db } = await scheduledStage(t);
  await schedule();
  const rows = JSON.stringify(await db('scheduled_messages'));
  t.false(rows.includes(message.text));
  t.false(rows.includes(message.to));
});

test('times outside the window are refused', async (t) => {
  const { expectRefusal, schedule } = await scheduledStage(t);
  const { scheduledMessageId } = await schedule();
  for (const sendAt of [inMs(-120_000), inMs(90 * DAY_MS + 60_000), '2027-01-01', 'soon', 1, null]) {
    const refused = await expectRefusal('VALIDATION_ERROR', 'POST /scheduled-messages', { sendAt, message });
    t.regex(refused, /sendAt/);
    await expectRefusal('VALIDATION_ERROR', `PATCH /scheduled-messages/${scheduledMessageId}`, { sendAt });
  }
});

test('unsendable and unknown content is refused before it is stored', async (t) => {
  const { expectRefusal, db, schedule } = await scheduledStage(t);
  const { scheduledMessageId } = await schedule();
  const sendAt = inMs(DAY_MS);
  const bodies = [
    { sendAt },
    { message },
    { sendAt, message, more: 1 },
    { sendAt, message: {} },
    { sendAt, message: { ...message, type: 'text' } },
    { sendAt, message: { to: message.to, type: 'text', access_token: 'x' } },
    { sendAt, message: { to: message.to, text: { body: 'no type' } } },
    { sendAt, message: { to: message.to, text: 'x'.repeat(4_097) } },
  ];
  for (const body of bodies) await expectRefusal('VALIDATION_ERROR', 'POST /scheduled-messages', body);
  for (const body of [{}, { status: 'sent' }, { message: { to: message.to, type: 'text', method: 'DELETE' } }]) {
    await expectRefusal('VALIDATION_ERROR', `PATCH /scheduled-messages/${scheduledMessageId}`, body);
  }
  t.is((await db('scheduled_messages').pluck('id')).length, 1);
});

test('a send with sendAt points to scheduled messages', async (t) => {
  const { expectRefusal, calls } = await scheduledStage(t);
  const native = { to: message.to, type: 'text', text: { body: 'a' }, sendAt: inMs(DAY_MS) };
  t.regex(await expectRefusal('VALIDATION_ERROR', 'POST /messages', native), /scheduled-messages/);
  await expectRefusal('VALIDATION_ERROR', 'POST /messages', { ...message, sendAt: inMs(DAY_MS) });
  t.deepEqual(calls, []);
});

test('a repeated Idempotency-Key schedules one message', async (t) => {
  const { schedule, call, db } = await scheduledStage(t);
  const body = { sendAt: inMs(DAY_MS), message };
  const headers = { 'Idempotency-Key': 'later-1' };
  const first = await schedule(body, headers);
  t.deepEqual(await schedule(body, headers), first);
  const reused = await call('POST /scheduled-messages', { ...body, sendAt: inMs(2 * DAY_MS) }, { headers });
  t.is(reused.body.code, 'IDEMPOTENCY_KEY_REUSED');
  t.is((await db('scheduled_messages').pluck('id')).length, 1);
});

test('a repeat gets the first message after its time and a disconnect', async (t) => {
  const { schedule, expectRefusal, db, channel, workspace } = await scheduledStage(t);
  const headers = { 'Idempotency-Key': 'later-1' };
  const first = await schedule({}, headers);
  // The stored request is the repeated one, whose time has passed since.
  const past = { sendAt: inMs(-120_000), message };
  const hash = requestHash({ workspaceId: workspace.id, input: past });
  await db('scheduled_messages').update({ send_at: past.sendAt, request_hash: hash });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  t.is((await schedule(past, headers)).scheduledMessageId, first.scheduledMessageId);
  const other = { sendAt: inMs(DAY_MS), message };
  await expectRefusal('IDEMPOTENCY_KEY_REUSED', 'POST /scheduled-messages', other, { headers });
  await expectRefusal('CHANNEL_DISCONNECTED', 'POST /scheduled-messages', other);
  t.is((await db('scheduled_messages').pluck('id')).length, 1);
});

test('messages of another tenant or workspace are not found', async (t) => {
  const { schedule, ok, call, db, apiKey } = await scheduledStage(t);
  const { scheduledMessageId } = await schedule();
  const stranger = await aTenant(db);
  const at = `/scheduled-messages/${scheduledMessageId}`;
  for (const [route, body] of [
    [`GET ${at}`],
    [`PATCH ${at}`, { sendAt: inMs(1_000) }],
    [`POST ${at}/cancel`],
  ] as const) {
    t.is((await call(route, body, { key: stranger.apiKey })).body.code, 'CHANNEL_NOT_FOUND');
  }
  await db('scheduled_messages').update({ workspace_id: stranger.workspace.id });
  t.is((await call(`POST ${at}/cancel`, undefined, { key: apiKey })).body.code, 'SCHEDULED_MESSAGE_NOT_FOUND');
  t.deepEqual((await ok('GET /scheduled-messages')).scheduledMessages, []);
});

test('scheduling and reading require the scope message.send', async (t) => {
  const { call, schedule, db, organization, user } = await scheduledStage(t);
  const { scheduledMessageId } = await schedule();
  const key = await aKey(db, { organization, user, scopes: ['channel.read', 'messages.read'] });
  for (const route of ['GET /scheduled-messages', `GET /scheduled-messages/${scheduledMessageId}`]) {
    t.is((await call(route, undefined, { key })).body.code, 'AGENT_SCOPE_INSUFFICIENT');
  }
});

test('a disconnected channel schedules nothing', async (t) => {
  const { expectRefusal, db, channel } = await scheduledStage(t);
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  await expectRefusal('CHANNEL_DISCONNECTED', 'POST /scheduled-messages', { sendAt: inMs(DAY_MS), message });
});

test('the list has pages', async (t) => {
  const { schedule, ok, expectRefusal } = await scheduledStage(t);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.unshift((await schedule()).scheduledMessageId);
  const first = await ok('GET /scheduled-messages?limit=2');
  const second = await ok(`GET /scheduled-messages?limit=2&cursor=${first.nextCursor}`);
  const listed = [...first.scheduledMessages, ...second.scheduledMessages];
  t.deepEqual(
    listed.map((one: { scheduledMessageId: string }) => one.scheduledMessageId),
    ids,
  );
  t.is(second.nextCursor, null);
  await expectRefusal('VALIDATION_ERROR', 'GET /scheduled-messages?cursor=sm_00000000');
});
