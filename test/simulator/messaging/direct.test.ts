import test from 'ava';
import { demo, messagingFor, page, photoAccount, refusal } from '../client.ts';

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
    const { direct, clock, sent, webhooksOf } = await messagingFor(t);
    clock.nowMs = Date.now();
    const isPage = product === 'pageapp';
    const [commentId, late] = [1, 4].map(isPage ? demo.pageCommentId : demo.photoCommentId) as [string, string];
    const author = demo.personId(isPage ? 4 : 1);
    const reply = (comment_id: string) => direct(account, { recipient: { comment_id }, message: { text: 'Thanks' } });
    t.is((await reply(commentId)).body.recipient_id, author);
    t.like(sent()[0], { to: commentId, recipientKind: 'comment' });
    t.like((await webhooksOf(1))[0].entry[0].messaging[0], { recipient: { id: author } });
    t.deepEqual(refusal(await reply(commentId)), [400, 10900, undefined]);
    clock.nowMs += 7 * 86_400_000;
    t.deepEqual(refusal(await reply(late)), [400, 10901, undefined]);
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

test('a post gets a private reply that hides an unknown author', async (t) => {
  const { direct, webhooksOf } = await messagingFor(t);
  const answer = await direct(page, { recipient: { post_id: `${page}_9` }, message: { text: 'Hi' } });
  t.deepEqual(Object.keys(answer.body), ['message_id']);
  t.regex((await webhooksOf(1))[0].entry[0].messaging[0].recipient.id, /^9\d{15}$/);
  t.is((await direct(photoAccount, { recipient: { post_id: '9' }, message: { text: 'Hi' } })).body.error.code, 100);
});
