import test from 'ava';
import fc from 'fast-check';
import { chatappMessage, chatappOther, chatappStatus } from '../../../simulator/webhooks/chatapp.ts';
import { encodeWebhook, escapeNonAscii } from '../../../simulator/webhooks/encode.ts';
import { envelope } from '../../../simulator/webhooks/envelope.ts';
import { neutralWords, upstreamWords } from '../../../simulator/webhooks/object-words.ts';
import { pageappFeedComment } from '../../../simulator/webhooks/pageapp-feed.ts';
import { pageappDelivery, pageappMessage, pageappRead } from '../../../simulator/webhooks/pageapp.ts';
import { photoappComment, photoappMessage } from '../../../simulator/webhooks/photoapp.ts';

const atMs = 1_700_000_000_500;
const message = (id: string, from = '15551230001') =>
  chatappMessage({ phoneNumberId: '77', accountId: '9', id, from, text: 'hi', atMs });
const comment = { accountId: '5', id: 'c1', from: '8', text: 'nice', mediaId: 'm1', atMs } as const;

test('a chatapp message carries number, contact and seconds as text', (t) => {
  t.deepEqual(envelope({ items: [message('a')] }), {
    object: neutralWords.chatapp.object,
    entry: [
      {
        id: '9',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: neutralWords.chatapp.messagingProduct,
              metadata: { display_phone_number: '15550783881', phone_number_id: '77' },
              contacts: [
                { profile: { name: 'Kerry Fisher' }, wa_id: '15551230001', user_id: 'US.11319563078241023544' },
              ],
              messages: [
                {
                  from: '15551230001',
                  from_user_id: 'US.11319563078241023544',
                  id: 'a',
                  timestamp: '1700000000',
                  type: 'text',
                  text: { body: 'hi' },
                },
              ],
            },
          },
        ],
      },
    ],
  });
});

test('real words name the product in object and chatapp value', (t) => {
  const real = JSON.stringify(envelope({ items: [message('a')], realWords: true }));
  t.true(real.startsWith(`{"object":"${upstreamWords.chatapp.object}"`));
  t.true(real.includes(`"messaging_product":"${upstreamWords.chatapp.messagingProduct}"`));
});

test('items of one number share a value with distinct contacts', (t) => {
  const status = chatappStatus({
    phoneNumberId: '77',
    accountId: '9',
    id: 'z',
    recipient: '1',
    status: 'read',
    atMs,
  });
  const { entry } = envelope({ items: [message('a'), message('b'), message('c', '2'), status] });
  t.is(entry.length, 1);
  const changes = entry[0]?.['changes'];
  t.true(Array.isArray(changes) && changes.length === 1);
  t.like(changes, [
    { value: { messages: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], contacts: { length: 2 }, statuses: [{ id: 'z' }] } },
  ]);
});

test('a batch can give each item its own entry or change', (t) => {
  const items = [message('a'), message('b')];
  t.is(envelope({ items, merge: 'none' }).entry.length, 2);
  t.like(envelope({ items, merge: 'entries' }).entry, { length: 1, 0: { changes: { length: 2 } } });
});

test('numbers of one business account never share a value', (t) => {
  const other = chatappMessage({ phoneNumberId: '78', accountId: '9', id: 'b', from: '2', atMs });
  t.like(envelope({ items: [message('a'), other] }).entry, { length: 1, 0: { changes: { length: 2 } } });
});

test('system messages and statuses have no contacts', (t) => {
  const system = chatappMessage({
    phoneNumberId: '77',
    id: 'a',
    from: '1',
    atMs,
    type: 'system',
    content: { body: 'x' },
  });
  const status = chatappStatus({ phoneNumberId: '77', id: 'a', recipient: '1', status: 'failed', atMs });
  for (const item of [system, status]) t.false(JSON.stringify(envelope({ items: [item] })).includes('contacts'));
});

test('a photoapp comment is in changes or on the entry', (t) => {
  const value = {
    id: 'c1',
    text: 'nice',
    from: { id: '8', username: 'kerry.fisher' },
    media: { id: 'm1', media_product_type: 'FEED' },
  };
  const inShape = (shape: 'changes' | 'entry') => envelope({ items: [photoappComment({ ...comment, shape })] }).entry;
  t.deepEqual(inShape('changes'), [{ id: '5', time: 1_700_000_000, changes: [{ field: 'comments', value }] }]);
  t.deepEqual(inShape('entry'), [{ id: '5', time: 1_700_000_000, field: 'comments', value }]);
});

test('comments on the entry never share an entry', (t) => {
  const items = [
    photoappComment({ ...comment, shape: 'entry' }),
    photoappMessage({ accountId: '5', id: 'm', from: '8', text: 'hi', atMs }),
    photoappComment({ ...comment, id: 'c2', shape: 'entry' }),
  ];
  t.is(envelope({ items }).entry.length, 3);
});

test('an echo names the account as sender', (t) => {
  const { entry } = envelope({
    items: [photoappMessage({ accountId: '5', id: 'm', from: '8', text: 'hi', atMs, isEcho: true })],
  });
  const item = { sender: { id: '5' }, recipient: { id: '8' }, timestamp: atMs };
  t.deepEqual(entry, [
    { id: '5', time: atMs, messaging: [{ ...item, message: { mid: 'm', text: 'hi', is_echo: true } }] },
  ]);
});

test('pageapp receipts have a watermark, and removed comments no message', (t) => {
  const facts = { accountId: '6', from: '8', atMs };
  const { entry } = envelope({
    items: [
      pageappMessage({ ...facts, id: 'm', text: 'hi' }),
      pageappRead(facts),
      pageappDelivery({ ...facts, ids: ['m'] }),
      pageappFeedComment({ pageId: '6', from: '8', id: '1_2', postId: '6_1', text: 'gone', verb: 'remove', atMs }),
    ],
  });
  t.like(entry, [
    {
      messaging: [{ message: { mid: 'm' } }, { read: { watermark: atMs } }, { delivery: { mids: ['m'] } }],
      changes: [{ field: 'feed', value: { item: 'comment', verb: 'remove', created_time: 1_700_000_000 } }],
    },
  ]);
  t.false(JSON.stringify(entry).includes('gone'));
});

test('an unknown field keeps its value', (t) => {
  const value = { event: 'PAUSED', odd: [1, null] };
  const { entry } = envelope({ items: [chatappOther({ phoneNumberId: '77', field: 'account_update', value, atMs })] });
  t.like(entry, [{ changes: [{ field: 'account_update', value }] }]);
});

test('an envelope of no items or two products is refused', (t) => {
  t.throws(() => envelope({ items: [] }), { message: /at least one/ });
  t.throws(() => envelope({ items: [message('a'), photoappComment({ ...comment, shape: 'entry' })] }), {
    message: /one product/,
  });
});

test('escaped JSON is ASCII with the same meaning', (t) => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const escaped = escapeNonAscii(json);
      return /^[\0-\x7f]*$/.test(escaped) && JSON.stringify(JSON.parse(escaped)) === JSON.stringify(JSON.parse(json));
    }),
  );
  t.is(escapeNonAscii('äöå😀'), '\\u00e4\\u00f6\\u00e5\\ud83d\\ude00');
});

test('a webhook escapes non-ASCII characters in lower-case hex', (t) => {
  const item = chatappMessage({ phoneNumberId: '77', id: 'a', from: '1', text: 'Grüße 🙂', atMs });
  t.true(
    encodeWebhook(envelope({ items: [item] }))
      .toString('latin1')
      .includes('Gr\\u00fc\\u00dfe \\ud83d\\ude42'),
  );
});
