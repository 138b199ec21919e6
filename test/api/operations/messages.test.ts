import test from 'ava';
import { findChannelRecord } from '../../../db/channels/records.ts';
import { isBodyOptional } from '../../../openapi/definitions/route-definition.ts';
import { messageRoutes } from '../../../openapi/operations/message-routes.ts';
import { businessScopedId } from '../../../simulator/webhooks/platform-ids.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';

const person = '15551230001';
const user = '250000000001101';
const userId = 'US.13491208655302741918';

test('a plain text is sent as a message of each product', async (t) => {
  for (const type of ['chatapp', 'photoapp', 'pageapp'] as const) {
    const { ok, platform, resourceId, channel } = await platformStage(t, type);
    const to = type === 'chatapp' ? person : user;
    const sent = await ok('POST /messages', { to, text: 'Hello & välkommen 😀' });
    t.like(sent, { channelId: channel.publicId, recipientId: to });
    t.truthy(sent.messageId);
    const [message] = platform.messaging.sent();
    t.is(message?.account, resourceId);
    t.true(JSON.stringify(message).includes('Hello & välkommen 😀'));
  }
});

test('a written phone number is sent to its digits', async (t) => {
  const { ok, platform } = await platformStage(t, 'chatapp');
  for (const to of [
    '+15551230001',
    '+1 (555) 123-0001',
    ' 1.555.123.0001 ',
    '\u202a+1\u00a0555\u2011123\u20110001\u202c',
  ]) {
    t.like(await ok('POST /messages', { to, text: 'Hello' }), {
      recipientId: person,
      userId: businessScopedId(person),
    });
  }
  t.true(platform.messaging.sent().every(({ to }) => to === person));
});

test('a person without a phone number is written to by user id', async (t) => {
  const { ok, platform } = await platformStage(t, 'chatapp');
  const native = { type: 'location', location: { latitude: 1.5, longitude: 2.5 } };
  const bodies = [
    { to: userId, text: 'Hello' },
    { to: userId, ...native },
    { recipient: userId, ...native },
  ];
  for (const body of bodies) {
    const sent = await ok('POST /messages', body);
    t.like(sent, { recipientId: userId, userId });
    const message = platform.messaging.sent().find(({ id }) => id === sent.messageId);
    t.like(message, { to: userId, body: { recipient: userId } });
    t.false('to' in message!.body);
  }
});

test('the sender of each event can be written to', async (t) => {
  const senders = {
    chatapp: [person, userId, 'US.ENT.11815799212886844830'],
    photoapp: [user],
    pageapp: [user, 'ref-17', '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
  };
  for (const type of ['chatapp', 'photoapp', 'pageapp'] as const) {
    const { call } = await platformStage(t, type);
    for (const to of senders[type]) {
      const { body } = await call('POST /messages', { to, text: 'Hello' });
      t.not(body.code, 'VALIDATION_ERROR', `${type} ${to}`);
    }
  }
});

test('a recipient that is no person is refused in words', async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'chatapp');
  for (const to of ['', ' ', '+', '../me', 'two words', 'a\u0000b', '1'.repeat(300)]) {
    const message = await expectRefusal('VALIDATION_ERROR', 'POST /messages', { to, text: 'a' });
    if (to.length === 9) t.regex(message, /must be a phone number, such as/);
  }
  t.deepEqual(calls, []);
});

test("a platform message is passed on with the product's name", async (t) => {
  const chatapp = await platformStage(t, 'chatapp');
  const location = { to: person, type: 'location', location: { latitude: 1.5, longitude: 2.5, name: 'Here' } };
  for (const named of [{}, { messaging_product: 'chatapp' }]) {
    t.truthy((await chatapp.ok('POST /messages', { ...named, ...location })).messageId);
  }
  t.is(chatapp.platform.messaging.sent().length, 2);
  const pageapp = await platformStage(t, 'pageapp');
  const native = { recipient: { id: user }, message: { text: 'Hi' } };
  t.like(await pageapp.ok('POST /messages', native), { recipientId: user });
});

test('an ambiguous, empty or excessive body is refused before any call', async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'chatapp');
  const bodies = [
    {},
    { to: person },
    { to: person, text: 'a', type: 'text' },
    { to: '../me', text: 'a' },
    { to: person, type: 'text', text: { body: 'a' }, access_token: 'x' },
    { to: person, type: 'text', text: { body: 'a' }, method: 'DELETE' },
    { to: person, type: 'text', text: { body: 'a' }, 'batch[0]': 'x' },
    { to: person, type: 'text', text: { body: 'a' }, messaging_product: 'pageapp' },
    { status: 'read', message_id: 'wamid.1' },
  ];
  for (const body of bodies) await expectRefusal('VALIDATION_ERROR', 'POST /messages', body);
  t.deepEqual(calls, []);
});

test('a refused body names both forms, and a body is required', async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'chatapp');
  for (const body of [{}, { type: 'text' }, { message: { text: 'a' } }, undefined]) {
    const message = await expectRefusal('VALIDATION_ERROR', 'POST /messages', body);
    if (body) t.regex(message, /\{to, text\}.*platform's format with a recipient/);
  }
  t.deepEqual(calls, []);
  t.false(isBodyOptional(messageRoutes.sendMessage), 'the document requires a body, too');
});

test('a refused text names each field in words', async (t) => {
  const { expectRefusal } = await platformStage(t, 'chatapp');
  for (const [body, said] of [
    [{ to: person, text: '' }, 'body.text: must have at least 1 character.'],
    [{ to: person }, 'body.text: is required.'],
    [{ text: 'Hello' }, 'body.to: is required.'],
    [{ to: person, text: 5 }, 'body.text: must be a text, for example "hello".'],
    [{ to: person, text: 'a', type: 'text' }, 'body.type: cannot be combined with a plain text.'],
    [{ to: person, text: { body: 'a' } }, 'body.type: is required.'],
  ] as const)
    t.is(await expectRefusal('VALIDATION_ERROR', 'POST /messages', body), said);
  const message = await expectRefusal('VALIDATION_ERROR', 'POST /messages', { to: '../me', text: '' });
  t.regex(message, /body\.to: must be a phone number.*; body\.text: must have at least 1 character\.$/);
});

test("a reply to a comment must use the comment's route", async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'pageapp');
  for (const recipient of [{ comment_id: '1' }, { post_id: '1' }, undefined]) {
    await expectRefusal('VALIDATION_ERROR', 'POST /messages', { recipient, message: { text: 'a' } });
  }
  t.deepEqual(calls, []);
});

test("another number's file is not sent", async (t) => {
  const stage = await platformStage(t, 'chatapp');
  const { mediaId } = await stage.ok('POST /chatapp/media', 'png', { headers: { 'content-type': 'image/png' } });
  const image = (id: string) => ({ to: person, type: 'image', image: { id } });
  t.truthy((await stage.ok('POST /messages', image(mediaId))).messageId);
  await stage.expectRefusal('PAGEAPP_SCOPE_DENIED', 'POST /messages', image('6699999999999999'));
  t.is(stage.platform.messaging.sent().length, 1);
});

test('a platform refusal shows its code, text and retry time', async (t) => {
  const { expectRefusal, call, platform } = await platformStage(t, 'chatapp');
  const fault = { at: 'send', times: 1 } as const;
  platform.messaging.control({ faults: [{ ...fault, code: 131047, message: 'Re-engagement', details: 'Too late' }] });
  const message = await expectRefusal('MESSAGING_WINDOW_CLOSED', 'POST /messages', { to: person, text: 'a' });
  t.regex(message, /code 131047.*Re-engagement: Too late/);
  platform.messaging.control({ faults: [{ ...fault, code: 80007, regainAccessMinutes: 3 }] });
  const limited = await call('POST /messages', { to: person, text: 'a' });
  t.like(limited, { status: 429, body: { code: 'PLATFORM_RATE_LIMITED' } });
  t.is(limited.headers.get('retry-after'), '180');
});

test('a missing permission differs from a closed messaging window', async (t) => {
  const { expectRefusal, platform } = await platformStage(t, 'pageapp');
  platform.messaging.control({ faults: [{ at: 'send', code: 200, times: 1 }] });
  await expectRefusal('PAGEAPP_SCOPE_MISSING', 'POST /messages', { to: user, text: 'a' });
  platform.messaging.control({ windows: true });
  t.regex(await expectRefusal('MESSAGING_WINDOW_CLOSED', 'POST /messages', { to: user, text: 'a' }), /2018278/);
});

const refusedSends = [
  ['chatapp', 'RECIPIENT_RATE_LIMITED', 429, { code: 131056 }],
  ['chatapp', 'PLATFORM_RATE_LIMITED', 429, { code: 130429 }],
  ['chatapp', 'PLATFORM_RATE_LIMITED', 429, { code: 4 }],
  ['chatapp', 'PLATFORM_RATE_LIMITED', 429, { code: 131048 }],
  ['chatapp', 'RECIPIENT_UNREACHABLE', 422, { code: 131026 }],
  ['chatapp', 'MESSAGE_WITHHELD', 422, { code: 131049 }],
  ['chatapp', 'TEMPLATE_REJECTED', 422, { code: 132015 }],
  ['chatapp', 'MEDIA_REJECTED', 422, { code: 131053 }],
  ['chatapp', 'ACCOUNT_RESTRICTED', 403, { code: 131031 }],
  ['chatapp', 'ACCOUNT_RESTRICTED', 403, { code: 368 }],
  ['chatapp', 'NUMBER_NOT_REGISTERED', 409, { code: 133010 }],
  ['chatapp', 'NUMBER_NOT_REGISTERED', 409, { code: 131045, status: 500 }],
  ['chatapp', 'PLATFORM_UNAVAILABLE', 503, { code: 131057, status: 500 }],
  ['chatapp', 'PLATFORM_REJECTED', 502, { code: 4711 }],
  ['pageapp', 'RECIPIENT_UNREACHABLE', 422, { code: 551, subcode: 1545041 }],
  ['pageapp', 'RECIPIENT_UNREACHABLE', 422, { code: 100, subcode: 2018001 }],
  ['pageapp', 'CONVERSATION_HELD_ELSEWHERE', 409, { code: 10, subcode: 2018300 }],
  ['pageapp', 'PLATFORM_RATE_LIMITED', 429, { code: 613 }],
  ['photoapp', 'MESSAGING_WINDOW_CLOSED', 409, { code: 10, subcode: 2534022 }],
  ['photoapp', 'PLATFORM_RATE_LIMITED', 429, { code: 80006 }],
] as const;

for (const type of ['chatapp', 'photoapp', 'pageapp'] as const) {
  test(`a refused send of a ${type} channel has its own code`, async (t) => {
    const { call, platform } = await platformStage(t, type);
    for (const [product, code, status, fault] of refusedSends) {
      if (product !== type) continue;
      platform.messaging.control({ faults: [{ at: 'send', times: 1, ...fault }] });
      const answer = await call('POST /messages', { to: type === 'chatapp' ? person : user, text: 'a' });
      t.like(answer, { status, body: { code, statusCode: status } }, `${fault.code}`);
      const isForNow = status === 429 || status === 503;
      t.is(Number(answer.headers.get('retry-after') ?? 0) > 0, isForNow, `${fault.code} says when to repeat it`);
    }
  });
}

test('a rejected credential refuses sends with a reason and keeps the channel', async (t) => {
  const { expectRefusal, call, platform, db, channel } = await platformStage(t, 'chatapp');
  platform.messaging.control({ deadTokens: ['platform-token'] });
  const advice = /code 190.* Connect the account again/;
  t.regex(await expectRefusal('CREDENTIAL_REFUSED', 'POST /messages', { to: person, text: 'a' }), advice);
  platform.messaging.control({ deadTokens: [] });
  t.regex(await expectRefusal('CREDENTIAL_REFUSED', 'POST /messages', { to: person, text: 'a' }), advice);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  await expectRefusal('CREDENTIAL_REFUSED', 'POST /scheduled-messages', { message: { to: person, text: 'a' }, sendAt });
  t.is(platform.messaging.sent().length, 0);
  const record = await findChannelRecord(db, { publicId: channel.publicId });
  t.like(record, { connected: true, disconnectedReason: null });
  t.regex(record!.credentialRefusedReason!, advice);
  await db('connection_credentials').update({ refused_at: null, refused_reason: null });
  t.is((await call('POST /messages', { to: person, text: 'a' })).status, 200);
});

test('a send with a lost answer is reported and not repeated', async (t) => {
  const { expectRefusal, platform } = await platformStage(t, 'chatapp');
  const faults = [{ lost: 'before' }, { lost: 'after' }, { httpStatus: 503 }, { wrongBody: true }] as const;
  for (const fault of faults) {
    const before = platform.messaging.calls().length;
    platform.messaging.control({ faults: [{ at: 'send', ...fault }] });
    const message = await expectRefusal('PLATFORM_OUTCOME_UNKNOWN', 'POST /messages', { to: person, text: 'a' });
    t.regex(message, /Do not repeat this blindly/);
    t.true(platform.messaging.calls().length > before);
  }
  t.is(platform.messaging.sent().length, 2);
});

test("read marks and typing use each product's own calls", async (t) => {
  const chatapp = await platformStage(t, 'chatapp');
  const id = 'wamid.HBgLMTU1NTEyMzAwMDEVAgASGBQ+/=';
  const read = await chatapp.ok(`POST /messages/${encodeURIComponent(id)}/read`);
  t.deepEqual(read, { channelId: chatapp.channel.publicId, messageId: id, read: true });
  t.like(await chatapp.ok('POST /typing', { messageId: id }), { typing: true });
  await chatapp.expectRefusal('VALIDATION_ERROR', 'POST /typing', { to: person });
  t.is(chatapp.platform.messaging.actions().length, 2);

  const pageapp = await platformStage(t, 'pageapp');
  await pageapp.ok('POST /messages/m_abc/read', { to: user });
  await pageapp.ok('POST /typing', { to: user });
  await pageapp.expectRefusal('VALIDATION_ERROR', 'POST /typing', { messageId: id });
  await pageapp.expectRefusal('VALIDATION_ERROR', 'POST /typing', {});
  t.deepEqual(fieldsOf(pageapp.platform.messaging.actions(), 'type'), ['mark_seen', 'typing_on']);
});

test("a message's missing sender is looked up", async (t) => {
  const { ok, platform } = await platformStage(t, 'pageapp');
  const [message] = platform.content.objects('message').filter((each) => each.accountId === '300000000000011');
  await ok(`POST /messages/${message!.id}/read`);
  const thread = platform.content.objects('thread').find(({ id }) => id === message!.threadId);
  t.like(platform.messaging.actions()[0], { to: thread!.participant.id });
});

test('an id that could change a path is refused', async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'pageapp');
  for (const id of ['..', 'me', '%2e%2e', 'a%2Fb', '1%3Ffields', '1%00']) {
    await expectRefusal('VALIDATION_ERROR', `DELETE /pageapp/posts/x${id}`);
    await expectRefusal('VALIDATION_ERROR', `POST /pageapp/comments/1${id}/moderate`, { action: 'hide' });
  }
  await expectRefusal('VALIDATION_ERROR', 'POST /messages/a%00b/read');
  t.deepEqual(calls, []);
});

test('lost read marks and typing signals may be repeated', async (t) => {
  const chatapp = await platformStage(t, 'chatapp');
  const pageapp = await platformStage(t, 'pageapp');
  for (const [stage, route, body] of [
    [chatapp, 'POST /messages/wamid.1/read', { to: '15551230000' }],
    [chatapp, 'POST /typing', { messageId: 'wamid.1' }],
    [pageapp, 'POST /messages/m_abc/read', { to: '250000000000101' }],
    [pageapp, 'POST /typing', { to: '250000000000101' }],
  ] as const) {
    for (const fault of [{ lost: 'after' }, { httpStatus: 503 }] as const) {
      stage.platform.messaging.control({ faults: [{ at: 'action', times: 1, ...fault }] });
      const message = await stage.expectRefusal('PLATFORM_UNAVAILABLE', route, body);
      t.regex(message, /may or may not have been done, and doing it again does no harm/);
      t.notRegex(message, /Nothing was sent/);
    }
  }
  t.true(chatapp.platform.messaging.actions().length > 0, 'the action took effect');
  await pageapp.platform.stop();
  t.regex(
    await pageapp.expectRefusal('PLATFORM_UNAVAILABLE', 'POST /typing', { to: '250000000000101' }),
    /Nothing was sent/,
  );
});
