import test from 'ava';
import { bodiesOf, itemsOf, keysOf } from '../../harness/envelope/split-items.ts';

const PHONE = '15557770001';
const USER = 'US.13491208655302741918';
const PARENT = 'US.ENT.11815799212886844830';
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

const both = { wa_id: PHONE, user_id: USER };
const call = { id: 'wacid.1', event: 'connect', timestamp: '1' };
const preference = { category: 'marketing_messages', value: 'stop', timestamp: 1 };

const named: readonly (readonly [string, object, object])[] = [
  [
    'a message with both ids',
    chatapp('messages', { messages: [{ from: PHONE, from_user_id: USER, from_parent_user_id: PARENT, id: 'm' }] }),
    person(PHONE, USER, PARENT),
  ],
  ['a message without a number', chatapp('messages', { messages: [{ from_user_id: USER, id: 'm' }] }), person(USER)],
  [
    'a message whose contact has the other id',
    chatapp('messages', { contacts: [contact(both)], messages: [{ from: `+${PHONE}`, id: 'm' }] }),
    person(PHONE, USER),
  ],
  [
    'a message that names no person',
    chatapp('messages', { contacts: [contact({ user_id: USER })], messages: [{ id: 'm' }] }),
    person(USER),
  ],
  [
    'a message about a new number',
    chatapp('messages', {
      messages: [{ from: PHONE, id: 'm', type: 'system', system: { type: 'user_changed_number', wa_id: '1555999' } }],
    }),
    person(PHONE, '1555999'),
  ],
  [
    'a status with both ids',
    chatapp('messages', { statuses: [{ id: 'm', recipient_id: PHONE, recipient_user_id: USER, timestamp: '1' }] }),
    { ...person(PHONE, USER), sender: null },
  ],
  [
    'a status without a number',
    chatapp('messages', { statuses: [{ id: 'm', recipient_user_id: USER, timestamp: '1' }] }),
    { ...person(USER), sender: null },
  ],
  [
    'a status in a group',
    chatapp('messages', {
      statuses: [{ id: 'm', recipient_id: 'g-1', recipient_type: 'group', recipient_participant_user_id: USER }],
    }),
    { conversation: 'g-1', sender: null, personIds: [USER] },
  ],
  [
    'an echo from the phone of the business',
    chatapp('smb_message_echoes', { message_echoes: [{ from: BUSINESS, to: `+${PHONE}`, to_user_id: USER, id: 'm' }] }),
    { ...person(PHONE, USER), sender: BUSINESS },
  ],
  [
    'an echo to a person without a number',
    chatapp('smb_message_echoes', { message_echoes: [{ from: BUSINESS, to_user_id: USER, id: 'm' }] }),
    { ...person(USER), sender: BUSINESS },
  ],
  [
    'a call of a person',
    chatapp('calls', { calls: [{ ...call, from: PHONE, from_user_id: USER, to: BUSINESS }] }),
    person(PHONE, USER),
  ],
  [
    'a call of the business',
    chatapp('calls', { calls: [{ ...call, from: BUSINESS, to_user_id: USER, direction: 'BUSINESS_INITIATED' }] }),
    { ...person(USER), sender: BUSINESS },
  ],
  [
    'a preference',
    chatapp('user_preferences', { user_preferences: [{ ...both, ...preference }] }),
    person(PHONE, USER),
  ],
  [
    'a preference whose contact alone has the person',
    chatapp('user_preferences', { contacts: [contact(both)], user_preferences: [preference] }),
    person(PHONE, USER),
  ],
  [
    'a changed id',
    chatapp('user_id_update', { user_id_update: [{ wa_id: PHONE, user_id: { previous: USER, current: OTHER } }] }),
    person(PHONE, OTHER, USER),
  ],
  [
    'an entry of the address book',
    chatapp('smb_app_state_sync', {
      state_sync: [
        { type: 'contact', contact: { full_name: 'Jo', phone_number: PHONE, user_id: USER }, action: 'add' },
      ],
    }),
    { ...person(PHONE, USER), sender: null },
  ],
  [
    'a thread of the history',
    chatapp('history', {
      history: [
        { metadata: { phase: 0 }, threads: [{ id: PHONE, context: { user_id: USER }, messages: [{ id: 'm' }] }] },
      ],
    }),
    { ...person(PHONE, USER), sender: null },
  ],
  [
    'a field that is not known yet',
    chatapp('later_updates', { later_updates: [{ wa_id: PHONE, user_id: USER, detail: 1 }] }),
    person(PHONE, USER),
  ],
  [
    'a value without lists',
    chatapp('messaging_handovers', { sender: { phone_number: PHONE, user_id: USER }, timestamp: 1 }),
    person(PHONE, USER),
  ],
];

for (const [what, envelope, expected] of named) {
  test(`the person of ${what} is known`, (t) => {
    t.deepEqual(peopleOf(envelope), [expected as typeof expected & ReturnType<typeof person>]);
  });
}

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
    t.deepEqual(
      items.map(({ conversation }) => conversation),
      [PHONE, OTHER],
    );
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
const parties = { sender: { id: 'acc1' }, recipient: { id: 'u1' } };

test('the person of an echo is its recipient', (t) => {
  const echo = { ...parties, message: { mid: 'm', is_echo: true } };
  t.deepEqual(peopleOf(account('pageapp', { messaging: [echo] })), [
    { conversation: 'u1', sender: 'acc1', personIds: ['u1'] },
  ]);
});

test('a visitor without an id is known by the reference', (t) => {
  const optin = { recipient: { id: 'acc1' }, optin: { user_ref: 'ref-1' } };
  const message = { sender: { id: 'u1' }, recipient: { id: 'acc1' }, message: { mid: 'm' } };
  const first = { ...message, prior_message: { source: 'checkbox_plugin', identifier: 'ref-1' } };
  t.deepEqual(peopleOf(account('pageapp', { messaging: [optin, first] })), [person('ref-1'), person('u1', 'ref-1')]);
});

test('the person of a mention or a review is known', (t) => {
  const changes = [
    { field: 'mention', value: { item: 'post', post_id: 'p1', sender_id: 'u1', verb: 'add' } },
    { field: 'ratings', value: { item: 'rating', reviewer: { id: 'u2', name: 'Jo' }, verb: 'add' } },
  ];
  t.deepEqual(peopleOf(account('pageapp', { changes })), [
    { conversation: 'p1', sender: 'u1', personIds: ['u1'] },
    person('u2'),
  ]);
});
