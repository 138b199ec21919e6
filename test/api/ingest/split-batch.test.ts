import test from 'ava';
import fc from 'fast-check';
import { splitEnvelope } from '../../../api/ingest/split-envelope.ts';
import { platformVocabulary } from '../../../platform/webhooks/envelope-vocabulary.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { bodiesOf, chatChange, chatEnvelope, itemsOf, textOf } from '../../harness/envelope/split-items.ts';
import { rawJson, rawSpace } from '../../harness/envelope/split-raw-json.ts';

const message = (from: string, id: string): object => ({ from, id, timestamp: '1', type: 'text', text: { body: id } });
const contact = (id: string): object => ({ profile: { name: `name of ${id}` }, wa_id: id });

test('a request with one item keeps its exact bytes', (t) => {
  const bytes = Buffer.from(
    ' {"object":"chatapp" , "x":[1e400], "entry":[{"changes":[{"value":{"metadata":{"phone_number_id":"p"},"messages":[{"id":"m"}]}}]}]}\n',
  );
  const items = splitEnvelope(bytes, platformVocabulary);
  t.true(Array.isArray(items) && items.length === 1 && items[0]?.body === bytes);
});

test('a message of a batch keeps its own contact and field order', (t) => {
  const change = chatChange('p', {
    contacts: [contact('a'), contact('b')],
    messages: [message('a', 'm1'), message('b', 'm2'), message('c', 'm3')],
  });
  const expected = [
    chatEnvelope(chatChange('p', { contacts: [contact('a')], messages: [message('a', 'm1')] })),
    chatEnvelope(chatChange('p', { contacts: [contact('b')], messages: [message('b', 'm2')] })),
    chatEnvelope(chatChange('p', { messages: [message('c', 'm3')] })),
  ];
  t.deepEqual(
    bodiesOf(itemsOf(chatEnvelope(change))),
    expected.map((envelope) => JSON.stringify(envelope)),
  );
});

test('contacts may follow the items', (t) => {
  const change = chatChange('p', {
    messages: [message('a', 'm1'), message('b', 'm2')],
    z: 1,
    contacts: [contact('a'), contact('b')],
  });
  const own = chatChange('p', { messages: [message('b', 'm2')], z: 1, contacts: [contact('b')] });
  t.is(bodiesOf(itemsOf(chatEnvelope(change)))[1], JSON.stringify(chatEnvelope(own)));
});

test('a single message keeps its single contact, even with another id', (t) => {
  const odd = chatChange('p', { contacts: [contact('other')], messages: [message('a', 'm1')] });
  const items = itemsOf(chatEnvelope(odd, chatChange('q', { messages: [message('b', 'm2')] })));
  t.is(bodiesOf(items)[0], JSON.stringify(chatEnvelope(odd)));
});

test('a status of a group keeps the contact of its participant', (t) => {
  const people = [
    [{ wa_id: '49' }, { recipient_participant_id: '49' }],
    [{ user_id: 'US.1' }, { recipient_participant_user_id: 'US.1' }],
    [{ parent_user_id: 'US.2' }, { recipient_participant_parent_user_id: 'US.2' }],
    [{ user_id: 'US.3', parent_user_id: 'US.4' }, { recipient_participant_user_id: 'US.3' }],
  ] as const;
  const contacts = people.map(([ids], index) => ({ profile: { name: `name ${index}` }, ...ids }));
  const statuses = people.map(([, ids]) => {
    return { id: 'm', status: 'read', timestamp: '1', recipient_id: 'g', recipient_type: 'group', ...ids };
  });
  const items = itemsOf(chatEnvelope(chatChange('p', { contacts, statuses })));
  t.deepEqual(
    bodiesOf(items),
    people.map((_, index) =>
      JSON.stringify(chatEnvelope(chatChange('p', { contacts: [contacts[index]], statuses: [statuses[index]] }))),
    ),
  );
});

test('messages and statuses of one value become separate items', (t) => {
  const status = { id: 'm0', status: 'read', timestamp: '2', recipient_id: 'a' };
  const items = itemsOf(chatEnvelope(chatChange('p', { messages: [message('b', 'm1')], statuses: [status] })));
  t.deepEqual(bodiesOf(items), [
    JSON.stringify(chatEnvelope(chatChange('p', { messages: [message('b', 'm1')] }))),
    JSON.stringify(chatEnvelope(chatChange('p', { statuses: [status] }))),
  ]);
});

test("errors stay with their value's items or become an item", (t) => {
  const withErrors = chatChange('p', { messages: [message('a', 'm1')], errors: [{ code: 1 }] });
  const alone = chatChange('p', { errors: [{ code: 2 }] });
  const items = itemsOf(chatEnvelope(withErrors, alone));
  t.deepEqual(bodiesOf(items), [JSON.stringify(chatEnvelope(withErrors)), JSON.stringify(chatEnvelope(alone))]);
  t.deepEqual(fieldsOf(items, 'eventType'), ['chatapp.message.received', 'chatapp.other.received']);
});

test("unknown fields of one channel's batch are kept at every level", (t) => {
  const one =
    '{"object":"pageapp","x":[1e400],"entry":[{"y":{"deep":[-0]},"id":"A","messaging":[{"n":12345678901234567890}]}]}';
  const two = one.replace('890}]', '890},{"n":2}]');
  t.is(bodiesOf(itemsOf(two))[0], one);
});

test('levels shared by several accounts keep only flat fields', (t) => {
  const text =
    '{"object":"pageapp","v":-0,"flat":{"n":1e400},"list":[{"of":"A"}],"entry":[{"id":"A","messaging":[{"m":1}]},{"id":"B","own":[1],"standby":[{"m":2}]}]}';
  const items = itemsOf(text);
  t.deepEqual(bodiesOf(items), [
    '{"object":"pageapp","v":-0,"flat":{"n":1e400},"entry":[{"id":"A","messaging":[{"m":1}]}]}',
    '{"object":"pageapp","v":-0,"flat":{"n":1e400},"entry":[{"id":"B","own":[1],"standby":[{"m":2}]}]}',
    '{"object":"pageapp","v":-0,"flat":{"n":1e400},"list":[{"of":"A"}]}',
  ]);
  t.deepEqual(fieldsOf(items, 'resourceId'), ['A', 'B', null]);
});

test('fields shared by several phone numbers go to staff', (t) => {
  const text =
    '{"object":"chatapp","entry":[{"id":"w","shared":[1],"changes":[{"value":{"metadata":{"phone_number_id":"p"},"messages":[{"id":"1"}]}},{"value":{"metadata":{"phone_number_id":"q"},"messages":[{"id":"2"}]}}]}]}';
  const items = itemsOf(text);
  t.deepEqual(fieldsOf(items, 'resourceId'), ['p', 'q', null]);
  t.deepEqual(
    bodiesOf(items).map((body) => body.includes('shared')),
    [false, false, true],
  );
  t.is(bodiesOf(items)[2], '{"object":"chatapp","entry":[{"id":"w","shared":[1]}]}');
});

test('a large batch over many channels is split without full copies', (t) => {
  const changes = Array.from({ length: 1000 }, (_, index) =>
    chatChange(`p${index % 10}`, { messages: [message(`a${index}`, 'x'.repeat(1000))] }),
  );
  const envelope = JSON.stringify(chatEnvelope(...changes));
  const items = itemsOf(envelope);
  const size = items.reduce((sum, { body }) => sum + body.length, 0);
  t.is(items.length, 1000);
  t.true(envelope.length > 1_000_000 && size < envelope.length * 2);
});

test('a batch whose shared fields exceed the bound stays whole', (t) => {
  const items = itemsOf({
    object: 'pageapp',
    x: 'x'.repeat(100_000),
    entry: [{ id: 'A', messaging: Array(1000).fill({}) }],
  });
  t.is(items.length, 1);
  t.is(items[0]?.resourceId, null);
});

interface RawItem {
  readonly channel: number;
  readonly party: number;
  readonly extra: string;
  readonly gap: string;
}
const rawItems = fc.array(fc.record<RawItem>({ channel: fc.nat(2), party: fc.nat(3), extra: rawJson, gap: rawSpace }), {
  minLength: 2,
  maxLength: 8,
});

/** Returns chatapp items with the marks `item<n>;` and `contact<channel>-<party>;`. */
function rawBatch(items: readonly RawItem[], unknown: string): string {
  const values = new Map<number, string[]>();
  for (const [index, { channel, party, extra, gap }] of items.entries()) {
    const text = `{"from":"${party}",${gap}"id"${gap}:"item${index};","x":${extra}}`;
    values.set(channel, [...(values.get(channel) ?? []), text]);
  }
  const changes = [...values].map(([channel, texts]) => {
    const contacts = [0, 1, 2, 3].map((party) => `{"wa_id":"${party}","name":"contact${channel}-${party};"}`);
    return `{"x":${unknown},"value":{"contacts":[${contacts.join()}],"x":${unknown},"metadata":{"phone_number_id":"${channel}"},"messages":[${texts.join()}]}}`;
  });
  return `{"object":"chatapp","entry":[{"id":"w","changes":[${changes.join()}]}]}`;
}

test('each envelope of a batch holds exactly its item and contact', (t) => {
  const property = fc.property(rawItems, rawJson, (sources, unknown) => {
    const whole = rawBatch(sources, unknown);
    const items = itemsOf(whole);
    t.is(items.length, sources.length);
    const seen = new Set<string>();
    for (const { body, key, ...facts } of items) {
      const item = textOf(key.bytes);
      const text = textOf(body);
      const [mark = '', ...others] = text.match(/item\d+;/g) ?? [];
      const source = sources[Number(/\d+/.exec(mark)?.[0])]!;
      t.deepEqual(others, []);
      t.deepEqual(text.match(/contact\d-\d;/g), [`contact${source.channel}-${source.party};`]);
      t.is(facts.resourceId, String(source.channel));
      t.true(text.includes(item) && whole.includes(item) && item.includes(`"x":${source.extra}}`));
      t.is(text.split(`"x":${unknown}`).length >= 3, true);
      t.notThrows(() => JSON.parse(text));
      const again = itemsOf(text);
      t.deepEqual(
        again.map(({ body: _body, key: { bytes }, ...rest }) => ({ ...rest, bytes: textOf(bytes) })),
        [{ ...facts, bytes: item }],
      );
      seen.add(mark);
    }
    t.is(seen.size, sources.length);
  });
  fc.assert(property, { numRuns: 150 });
});
