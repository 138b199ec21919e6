import test from 'ava';
import { bodiesOf, itemsOf, keysOf } from '../../harness/envelope/split-items.ts';
import { pluck } from '../../harness/pluck.ts';

const PHONE = '15557770001';
const OTHER = 'US.13491208655302749999';
const BUSINESS = '15550783881';
const metadata = { display_phone_number: '+1 555-078-3881', phone_number_id: '1066' };
const contact = (ids: object): object => ({ profile: { name: 'Jo' }, ...ids });

const chatapp = (field: string, members: object): object => ({
  object: 'chatapp',
  entry: [{ id: 'waba1', changes: [{ field, value: { messaging_product: 'chatapp', metadata, ...members } }] }],
});
const peopleOf = (envelope: object) =>
  itemsOf(envelope).map(({ conversation, sender, personIds }) => ({ conversation, sender, personIds }));
const person = (...personIds: string[]) => ({ conversation: personIds[0]!, sender: personIds[0]!, personIds });

test('lists of people become one item for each person', (t) => {
  const change = (field: string, list: string, items: object[]) => chatapp(field, { [list]: items });
  const lists = [
    ['smb_message_echoes', 'message_echoes', { from: BUSINESS, to: PHONE }, { from: BUSINESS, to_user_id: OTHER }],
    ['calls', 'calls', { from: PHONE }, { from_user_id: OTHER }],
    ['user_preferences', 'user_preferences', { wa_id: PHONE }, { user_id: OTHER }],
    ['smb_app_state_sync', 'state_sync', { contact: { phone_number: PHONE } }, { contact: { user_id: OTHER } }],
    ['later_updates', 'people', { wa_id: PHONE }, { user_id: OTHER }],
  ] as const;
  for (const [field, list, first, second] of lists) {
    const items = itemsOf(change(field, list, [first, second]));
    t.deepEqual(
      bodiesOf(items),
      [first, second].map((one) => JSON.stringify(change(field, list, [one]))),
    );
    t.deepEqual(pluck(items, 'conversation'), [PHONE, OTHER]);
  }
});

test('each thread of a history is an item with its own contact', (t) => {
  const thread = (id: string): object => ({ id, messages: [{ from: id, id: `m${id}` }] });
  const contacts = [contact({ wa_id: PHONE }), contact({ wa_id: '1555' })];
  const history = (own: object[], ...threads: object[]): object =>
    chatapp('history', { contacts: own, history: [{ metadata: { phase: 1, chunk_order: 1 }, threads }] });
  const items = itemsOf(history(contacts, thread(PHONE), thread('1555')));
  t.deepEqual(
    bodiesOf(items),
    [history([contacts[0]!], thread(PHONE)), history([contacts[1]!], thread('1555'))].map((one) => JSON.stringify(one)),
  );
});

test('each participant of a group change is an item', (t) => {
  const group = (members: object): object =>
    chatapp('group_participants_update', { groups: [{ timestamp: '1', group_id: 'g', ...members }] });
  const items = itemsOf(group({ removed_participants: [{ wa_id: PHONE }], failed_participants: [{ input: '1555' }] }));
  t.deepEqual(
    bodiesOf(items),
    [{ removed_participants: [{ wa_id: PHONE }] }, { failed_participants: [{ input: '1555' }] }].map((members) =>
      JSON.stringify(group(members)),
    ),
  );
});

test('a participant who is added again is no duplicate', (t) => {
  const added = (timestamp: string) =>
    keysOf(
      chatapp('group_participants_update', {
        groups: [{ timestamp, group_id: 'g', added_participants: [{ wa_id: PHONE }, { wa_id: '1555' }] }],
      }),
    );
  t.deepEqual(added('1'), added('1'));
  t.is(new Set([...added('1'), ...added('2')]).size, 4);
});

test('two contacts beside an item that names no person decide nothing', (t) => {
  const contacts = [contact({ wa_id: PHONE }), contact({ wa_id: '1555' })];
  t.deepEqual(peopleOf(chatapp('messages', { contacts, messages: [{ id: 'm' }] })), [
    { conversation: null, sender: null, personIds: [] } as unknown as ReturnType<typeof person>,
  ]);
});

const account = (object: string, members: object): object => ({ object, entry: [{ id: 'acc1', time: 1, ...members }] });

test('a visitor without an id is known by the reference', (t) => {
  const optin = { recipient: { id: 'acc1' }, optin: { user_ref: 'ref-1' } };
  const message = { sender: { id: 'u1' }, recipient: { id: 'acc1' }, message: { mid: 'm' } };
  const first = { ...message, prior_message: { source: 'checkbox_plugin', identifier: 'ref-1' } };
  t.deepEqual(peopleOf(account('pageapp', { messaging: [optin, first] })), [person('ref-1'), person('u1', 'ref-1')]);
});
