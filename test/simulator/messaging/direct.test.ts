import test from 'ava';
import { refusal } from '../api-server.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { messagingFor, page, photoAccount } from './client.ts';

const recipient = { id: '24680' };
const hello = { recipient, message: { text: 'Hello' } };
const image = { type: 'image', payload: { url: 'https://media.example/a.jpg' } };
const longText = (length: number) => ({ recipient, message: { text: 'x'.repeat(length) } });

for (const [product, account] of [
  ['pageapp', page],
  ['photoapp', photoAccount],
] as const) {
  test(`a ${product} message returns its id, and a signed echo follows`, async (t) => {
    const { direct, sent, webhooksOf } = await messagingFor(t);
    const { status, body } = await direct(account, { ...hello, messaging_type: 'RESPONSE' });
    t.is(status, 200);
    t.deepEqual(Object.keys(body), ['recipient_id', 'message_id']);
    t.is(body.recipient_id, recipient.id);
    t.like(sent()[0], { id: body.message_id, product, account, to: recipient.id, type: 'text' });
    const [webhook] = await webhooksOf(1);
    t.is(webhook.object, product);
    t.is(webhook.entry[0].id, account);
    t.like(webhook.entry[0].messaging[0], {
      sender: { id: account },
      recipient,
      message: { mid: body.message_id, text: 'Hello', is_echo: true },
    });
  });

  test(`the echo of a ${product} message contains its attachment`, async (t) => {
    const { direct, sent, webhooksOf } = await messagingFor(t);
    t.is((await direct(account, { recipient, message: { attachment: image } })).status, 200);
    t.is(sent()[0]?.type, 'image');
    const [webhook] = await webhooksOf(1);
    t.deepEqual(webhook.entry[0].messaging[0].message.attachments, [image]);
  });

  test(`a ${product} comment gets one private reply within seven days`, async (t) => {
    const { direct, event, clock, sent, webhooksOf } = await messagingFor(t);
    const commentId = `${account}_1`;
    await event({ product, kind: 'comment', resourceId: account, from: '13579', platformMessageId: commentId });
    const reply = { recipient: { comment_id: commentId }, message: { text: 'Thanks' } };
    const first = await direct(account, reply);
    t.is(first.body.recipient_id, '13579');
    t.like(sent()[0], { to: commentId, recipientKind: 'comment' });
    t.like((await webhooksOf(2))[1].entry[0].messaging[0], { recipient: { id: '13579' } });
    t.deepEqual(refusal(await direct(account, reply)), [400, 10900, undefined]);

    const late = `${account}_2`;
    await event({
      product,
      kind: 'comment',
      resourceId: account,
      from: '13579',
      platformMessageId: late,
      shape: 'entry',
    });
    clock.nowMs += 7 * 86_400_000;
    t.deepEqual(refusal(await direct(account, { ...reply, recipient: { comment_id: late } })), [400, 10901, undefined]);
  });

  test(`invalid ${product} messages are refused`, async (t) => {
    const { direct, sent } = await messagingFor(t);
    const wrong = [
      {},
      { message: { text: 'x' } },
      { recipient },
      { recipient: {}, message: { text: 'x' } },
      { recipient: { id: '1', comment_id: '2' }, message: { text: 'x' } },
      { recipient, message: {} },
      { recipient, message: { text: ' ' } },
      { recipient, message: { text: 'x', attachment: image } },
      { recipient, message: { attachment: { type: 'hologram', payload: {} } } },
      { recipient, message: { attachment: { type: 'image', payload: { url: 'a.jpg' } } } },
      { recipient, message: { attachments: Array.from({ length: 11 }, () => image) } },
      { ...hello, messaging_type: 'SHOUT' },
      { ...hello, messaging_type: 'MESSAGE_TAG' },
      { ...hello, messaging_type: 'MESSAGE_TAG', tag: 'HOLIDAY' },
      { ...hello, sender_action: 'mark_seen' },
      { recipient, sender_action: 'dance' },
      { recipient, sender_action: 'react', payload: {} },
    ];
    for (const body of wrong)
      t.deepEqual(refusal(await direct(account, body)), [400, 100, undefined], JSON.stringify(body));
    t.is(sent().length, 0);
  });

  test(`a ${product} account marks as seen, types and reacts`, async (t) => {
    const { direct, actions, sent, webhooksOf } = await messagingFor(t);
    const payload = { message_id: 'm_1', reaction: 'love' };
    for (const sender_action of ['mark_seen', 'typing_on', 'typing_off', 'react', 'unreact']) {
      const { body } = await direct(account, { recipient, sender_action, payload });
      t.deepEqual(body, { recipient_id: recipient.id });
    }
    t.is(actions().length, 5);
    t.is(sent().length, 0);
    t.deepEqual(await webhooksOf(0), []);
  });
}

test('texts have 2000 characters on Pages and 1000 bytes on photoapp', async (t) => {
  const { direct } = await messagingFor(t);
  t.is((await direct(page, longText(2000))).status, 200);
  t.is((await direct(page, longText(2001))).body.error.code, 100);
  t.is((await direct(photoAccount, longText(1000))).status, 200);
  const wide = { recipient, message: { text: 'ü'.repeat(501) } };
  t.is((await direct(photoAccount, wide)).body.error.code, 100);
});

test('a message holds several images, and a heart needs no payload', async (t) => {
  const { direct } = await messagingFor(t);
  t.is((await direct(photoAccount, { recipient, message: { attachments: [image, image] } })).status, 200);
  t.is((await direct(photoAccount, { recipient, message: { attachment: { type: 'like_heart' } } })).status, 200);
  t.is((await direct(page, { recipient, message: { attachment: { type: 'like_heart' } } })).body.error.code, 100);
});

test('tags are accepted outside the window, HUMAN_AGENT for seven days', async (t) => {
  const { direct, event, control, clock } = await messagingFor(t);
  control({ windows: true });
  const tagged = (tag: string) => ({ ...hello, messaging_type: 'MESSAGE_TAG', tag });
  t.deepEqual(refusal(await direct(page, hello)), [400, 10, 2018278]);
  await event({ product: 'pageapp', kind: 'message', resourceId: page, from: recipient.id });
  await event({ product: 'photoapp', kind: 'postback', resourceId: photoAccount, from: recipient.id });
  for (const account of [page, photoAccount]) t.is((await direct(account, hello)).status, 200);
  clock.nowMs += 86_400_000;
  for (const account of [page, photoAccount]) {
    t.deepEqual(refusal(await direct(account, hello)), [400, 10, 2018278]);
    t.is((await direct(account, tagged('HUMAN_AGENT'))).status, 200);
  }
  clock.nowMs += 6 * 86_400_000;
  t.is((await direct(page, tagged('HUMAN_AGENT'))).body.error.code, 10);
  t.is((await direct(page, tagged('ACCOUNT_UPDATE'))).status, 200);
});

test('read marks and echoes open no window', async (t) => {
  const { direct, event, control } = await messagingFor(t);
  control({ windows: true });
  await event({ product: 'pageapp', kind: 'read', resourceId: page, from: recipient.id });
  await event({ product: 'pageapp', kind: 'message', resourceId: page, from: recipient.id, isEcho: true });
  t.is((await direct(page, hello)).body.error.code, 10);
});

test('a post gets a private reply that hides an unknown author', async (t) => {
  const { direct, control, webhooksOf } = await messagingFor(t);
  const answer = await direct(page, { recipient: { post_id: `${page}_9` }, message: { text: 'Hi' } });
  t.deepEqual(Object.keys(answer.body), ['message_id']);
  t.regex((await webhooksOf(1))[0].entry[0].messaging[0].recipient.id, /^9\d{15}$/);
  t.is((await direct(photoAccount, { recipient: { post_id: '9' }, message: { text: 'Hi' } })).body.error.code, 100);
  control({ comments: [{ id: 'c1', from: '13579' }] });
  t.is((await direct(page, { recipient: { comment_id: 'c1' }, message: { text: 'Hi' } })).body.recipient_id, '13579');
});

test("the control, the id or the body decides an account's product", async (t) => {
  const { direct, control, sent } = await messagingFor(t);
  const chat = { messaging_product: 'chatapp', to: '15551230001', text: { body: 'x' } };
  await direct('77', chat);
  await direct('77', hello);
  control({ accounts: { 78: 'photoapp' } });
  await direct('78', hello);
  t.deepEqual(fieldsOf(sent(), 'product'), ['chatapp', 'pageapp', 'photoapp']);
});

test('a known comment has its author without a webhook', async (t) => {
  const commentOf = (id: string) => (id === 'held' ? { from: '13579', atMs: Date.parse('2029-12-31') } : undefined);
  const { direct, clock } = await messagingFor(t, { commentOf });
  const reply = { recipient: { comment_id: 'held' }, message: { text: 'Hi' } };
  t.is((await direct(page, reply)).body.recipient_id, '13579');
  clock.nowMs += 7 * 86_400_000;
  t.is((await direct(page, reply)).body.error.code, 10900);
});

test('greetings, welcome flows and attachments are stored', async (t) => {
  const { call, json } = await messagingFor(t);
  for (const account of [page, photoAccount]) {
    const profile = `/v25.0/${account}/messenger_profile`;
    t.deepEqual((await json(profile, { get_started: { payload: 'go' }, greeting: [] })).body, { result: 'success' });
    t.deepEqual((await call('GET', `${profile}?fields=get_started`)).body, {
      data: [{ get_started: { payload: 'go' } }],
    });
    const headers = { 'content-type': 'application/json' };
    await call('DELETE', profile, { headers, body: JSON.stringify({ fields: ['get_started'] }) });
    t.deepEqual((await call('GET', `${profile}?fields=get_started,greeting`)).body, { data: [{ greeting: [] }] });

    const flows = `/v25.0/${account}/welcome_message_flows`;
    const { flow_id: id } = (await json(flows, { name: 'Hello', welcome_message_flow: [] })).body;
    t.deepEqual((await json(flows, { flow_id: id, name: 'Welcome' })).body, { success: true });
    t.deepEqual((await call('GET', flows)).body.data, [{ name: 'Welcome', welcome_message_flow: [], id }]);
    t.deepEqual((await call('DELETE', `${flows}?flow_id=${id}`)).body, { success: true });
    t.deepEqual(refusal(await call('DELETE', `${flows}?flow_id=${id}`)), [400, 100, undefined]);
  }
  const attachment = { type: 'image', payload: { url: 'https://media.example/photo.jpg', is_reusable: true } };
  const { body } = await json(`/v25.0/${page}/message_attachments`, { message: { attachment } });
  t.regex(body.attachment_id, /^\d+$/);
  t.deepEqual(refusal(await json(`/v25.0/${page}/message_attachments`, {})), [400, 100, undefined]);
});
