import test from 'ava';
import fc from 'fast-check';
import { messagingItem, pageappComment, photoappComment } from '../../simulator/webhooks/accounts.ts';
import { chatappMessage, chatappOther, chatappStatus } from '../../simulator/webhooks/chatapp.ts';
import {
  encodeWebhook,
  envelope,
  escapeNonAscii,
  neutralWords,
  upstreamWords,
} from '../../simulator/webhooks/envelope.ts';

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

test('a status has no contact', (t) => {
  const status = chatappStatus({ phoneNumberId: '77', id: 'a', recipient: '1', status: 'read', atMs });
  t.false(JSON.stringify(envelope({ items: [status] })).includes('contacts'));
});

test('items of one account share an entry, comments do not', (t) => {
  t.like(envelope({ items: [message('a'), message('b')] }).entry, { length: 1, 0: { changes: { length: 2 } } });
  const said = messagingItem(
    { product: 'photoapp', accountId: '5', from: '8', atMs },
    { platformMessageId: 'm', fields: { message: { mid: 'm' } } },
  );
  const onEntry = (id: string) => photoappComment({ ...comment, id, shape: 'entry' });
  t.is(envelope({ items: [onEntry('c1'), said, onEntry('c2')] }).entry.length, 3);
});

test('an echo names the account, a removed comment has no text', (t) => {
  const echo = messagingItem(
    { product: 'pageapp', accountId: '6', from: '8', atMs, isEcho: true },
    { platformMessageId: 'm', fields: { message: { mid: 'm' } } },
  );
  const gone = { pageId: '6', from: '8', id: '1_2', postId: '6_1', text: 'gone', verb: 'remove', atMs };
  const { entry } = envelope({ items: [echo, pageappComment(gone)] });
  const changed = {
    from: { id: '8', name: 'Kerry Fisher' },
    item: 'comment',
    post_id: '6_1',
    comment_id: '1_2',
    parent_id: '6_1',
    created_time: 1_700_000_000,
    verb: 'remove',
  };
  t.deepEqual(entry, [
    {
      id: '6',
      time: atMs,
      messaging: [{ sender: { id: '6' }, recipient: { id: '8' }, timestamp: atMs, message: { mid: 'm' } }],
      changes: [{ field: 'feed', value: changed }],
    },
  ]);
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
