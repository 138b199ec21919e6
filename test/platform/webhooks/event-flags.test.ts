import test from 'ava';
import { itemsOf } from '../../harness/envelope/split-items.ts';

const BUSINESS = '15550783881';
const metadata = { display_phone_number: BUSINESS, phone_number_id: '1066' };
const chatapp = (field: string, members: object): object => ({
  object: 'chatapp',
  entry: [{ id: 'waba1', changes: [{ field, value: { messaging_product: 'chatapp', metadata, ...members } }] }],
});
const account = (object: string, members: object): object => ({ object, entry: [{ id: 'acc1', time: 1, ...members }] });
const person = { sender: { id: 'u1' }, recipient: { id: 'acc1' } };
const own = { sender: { id: 'acc1' }, recipient: { id: 'u1' } };
const messaging = (object: string, item: object): object => account(object, { messaging: [item] });
const change = (object: string, field: string, value: object): object =>
  account(object, { changes: [{ field, value }] });

const flagged: readonly (readonly [string, string | null, object])[] = [
  ['a message', null, messaging('pageapp', { ...person, message: { mid: 'm' } })],
  ['an echo', 'echo', messaging('pageapp', { ...own, message: { mid: 'm', is_echo: true } })],
  ['an echo with its flag as text', 'echo', messaging('photoapp', { ...own, message: { mid: 'm', is_echo: 'true' } })],
  ['an echo without its flag', 'echo', messaging('photoapp', { ...own, message: { mid: 'm' } })],
  ['an own reaction', 'echo', messaging('pageapp', { ...own, reaction: { mid: 'm', action: 'react' } })],
  ['a deleted message', 'unsend', messaging('photoapp', { ...person, message: { mid: 'm', is_deleted: true } })],
  [
    'a deleted echo',
    'echo,unsend',
    messaging('photoapp', { ...own, message: { mid: 'm', is_echo: true, is_deleted: 1 } }),
  ],
  ['an echo on standby', 'echo', account('pageapp', { standby: [{ ...own, message: { mid: 'm', is_echo: true } }] })],
  ['a comment', null, change('photoapp', 'comments', { id: 'c', from: { id: 'u1' } })],
  ['an own comment', 'echo', change('photoapp', 'comments', { id: 'c', from: { id: 'acc1' } })],
  [
    'an own reply on a Page',
    'echo',
    change('pageapp', 'feed', { item: 'comment', comment_id: 'c', from: { id: 'acc1' } }),
  ],
  ['a chatapp message', null, chatapp('messages', { messages: [{ from: '1555', id: 'm', type: 'text' }] })],
  [
    'a deleted chatapp message',
    'unsend',
    chatapp('messages', { messages: [{ from: '1555', id: 'm', type: 'revoke' }] }),
  ],
  ['a status', null, chatapp('messages', { statuses: [{ id: 'm', status: 'read', recipient_id: '1555' }] })],
  [
    'a message from the phone of the business',
    'echo',
    chatapp('smb_message_echoes', { message_echoes: [{ from: BUSINESS, to: '1555', id: 'm', type: 'text' }] }),
  ],
  [
    'a message that was deleted on that phone',
    'echo,unsend',
    chatapp('smb_message_echoes', { message_echoes: [{ from: BUSINESS, to: '1555', id: 'm', type: 'revoke' }] }),
  ],
];

for (const [what, flags, envelope] of flagged) {
  test(`${what} has ${flags === null ? 'no flags' : `the flags ${flags}`}`, (t) => {
    t.deepEqual(
      itemsOf(envelope).map(({ eventFlags }) => eventFlags),
      [flags],
    );
  });
}
