import test from 'ava';
import fc from 'fast-check';
import { scanJson } from '../../../contract/envelope/json-tape.ts';
import { splitEnvelope } from '../../../api/ingest/split-envelope.ts';
import { platformVocabulary } from '../../../platform/webhooks/envelope-vocabulary.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { bodiesOf, itemsOf, textOf } from '../../harness/envelope/split-items.ts';
import { leastCpuMs } from '../../platform/cpu-time.ts';
import { rawJson } from '../../harness/envelope/split-raw-json.ts';

test('a body that is not UTF-8 JSON is malformed', (t) => {
  for (const text of ['', '{', '{"object":"pageapp",}', '\ufeff{}', '{"a":"\xff"}']) {
    t.true(
      'malformed' in splitEnvelope(Buffer.from(text, text.includes('\xff') ? 'latin1' : 'utf8'), platformVocabulary),
      text,
    );
  }
});

for (const text of [
  'null',
  '7',
  '"object"',
  '[]',
  '{}',
  '{"object":"else","entry":[{"id":"A"},{"id":"B"}]}',
  '{"object":{},"entry":[]}',
  '{"object":"__proto__"}',
]) {
  test(`a body of no product is kept whole for staff: ${text}`, (t) => {
    const [item, ...rest] = itemsOf(text);
    t.deepEqual(rest, []);
    t.like(item, { channelType: null, resourceId: null, eventType: null });
    t.is(textOf(item!.body), text);
  });
}

for (const text of [
  '{"object":"pageapp"}',
  '{"object":"pageapp","entry":[]}',
  '{"object":"pageapp","entry":{"id":"A"}}',
  '{"object":"pageapp","entry":[{"id":"A","messaging":[{}]}],"entry":[{"id":"B","messaging":[{}]}]}',
  '{"object":"pageapp","entry":[{"id":"A","messaging":[{}]}],"\\u0065ntry":[{"id":"B","messaging":[{}]}]}',
  '{"object":"pageapp","object":"pageapp","entry":[{"id":"A","messaging":[{}]}]}',
]) {
  test(`an unsplittable body is kept whole under its product: ${text}`, (t) => {
    const items = itemsOf(text);
    t.is(items.length, 1);
    t.like(items[0], { channelType: 'pageapp', resourceId: null, eventType: 'pageapp.other.received' });
    t.is(textOf(items[0]!.body), text);
  });
}

test('an envelope that names two products belongs to none', (t) => {
  t.like(itemsOf('{"object":"pageapp","object":"chatapp","entry":[{"id":"A"}]}')[0], { channelType: null });
});

test('an entry or value that names two accounts belongs to neither', (t) => {
  const page =
    '{"object":"pageapp","entry":[{"id":"A","messaging":[{"n":1}],"id":"B"},{"id":"C","messaging":[{"n":2}]}]}';
  t.deepEqual(fieldsOf(itemsOf(page), 'resourceId'), [null, 'C']);
  const metadata = '"metadata":{"phone_number_id":"A"}';
  for (const two of [
    `{"value":{${metadata},"metadata":{"phone_number_id":"B"},"messages":[{"id":"1"}]}}`,
    `{"value":{${metadata},"metadata":{},"messages":[{"id":"1"}]}}`,
    `{"value":{"metadata":{"phone_number_id":"A","phone_number\\u005fid":"B"},"messages":[{"id":"1"}]}}`,
    `{"value":{${metadata},"messages":[{"id":"1"}]},"value":{"metadata":{"phone_number_id":"B"},"messages":[{"id":"2"}]}}`,
  ]) {
    const items = itemsOf(
      `{"object":"chatapp","entry":[{"changes":[${two},{"value":{"metadata":{"phone_number_id":"C"},"messages":[{"id":"3"}]}}]}]}`,
    );
    t.deepEqual(fieldsOf(items, 'resourceId'), [null, 'C'], two);
  }
});

test('a repeated list is not split and keeps its single channel', (t) => {
  const value = '{"metadata":{"phone_number_id":"A"},"messages":[{"id":"1"}],"messages":[{"id":"2"}]}';
  const items = itemsOf(
    `{"object":"chatapp","entry":[{"changes":[{"value":${value}},{"value":{"metadata":{"phone_number_id":"A"}}}]}]}`,
  );
  t.like(items[0], { resourceId: 'A', eventType: 'chatapp.other.received' });
  t.is(textOf(items[0]!.key.bytes), `{"value":${value}}`);
});

test('entries, changes and items of odd shape are forwarded as other items', (t) => {
  const entries =
    '[null,[],{"id":"A"},{"id":"A","messaging":{}},{"id":"A","messaging":[7,{"z":1}]},{"id":"A","changes":[null,{"field":"f"},{"field":"f","value":3}]},{"id":"A","messaging":[]}]';
  const items = itemsOf(`{"object":"pageapp","entry":${entries}}`);
  t.deepEqual(fieldsOf(items, 'resourceId'), [null, null, 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A']);
  t.true(items.every(({ eventType, key }) => eventType === 'pageapp.other.received' && key.canRepeat));
  t.deepEqual(
    bodiesOf(items).filter((body) => JSON.parse(body).entry.length !== 1),
    [],
  );
});

test('JavaScript property names such as __proto__ have no effect', (t) => {
  const text =
    '{"__proto__":{"object":"pageapp"},"object":"pageapp","entry":[{"id":"A","__proto__":{"id":"B"},"messaging":[{"__proto__":{"message":{"mid":"x"}}},{"constructor":1}]}]}';
  const items = itemsOf(text);
  t.deepEqual(fieldsOf(items, 'resourceId', 'eventType'), [
    ['A', 'pageapp.other.received'],
    ['A', 'pageapp.other.received'],
  ]);
  t.true(bodiesOf(items)[0]!.includes('"__proto__":{"id":"B"}'));
});

test('text that the database cannot store is not used as an id', (t) => {
  const ids = ['"\\u0000"', '"\\ud800"', `"${'x'.repeat(600)}"`, '""', 'null', '{}', 'true'];
  for (const id of ids) {
    const [item] = itemsOf(
      `{"object":"pageapp","entry":[{"id":${id},"messaging":[{"sender":{"id":${id}},"message":{"mid":${id}}}]}]}`,
    );
    t.like(item, { resourceId: null, sender: null, conversation: null, platformMessageId: null }, id);
  }
});

test('an id written as a number keeps all digits', (t) => {
  t.is(
    itemsOf('{"object":"pageapp","entry":[{"id":12345678901234567890,"messaging":[{}]}]}')[0]?.resourceId,
    '12345678901234567890',
  );
});

test('deep nesting inside an item is preserved', (t) => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const items = itemsOf(
    `{"object":"pageapp","entry":[{"id":"A","messaging":[{"x":${deep}},{}]},{"id":"B","messaging":[{}]}]}`,
  );
  t.is(items.length, 3);
  t.true(textOf(items[0]!.body).includes(deep));
});

test('any JSON in an envelope yields parseable items with their bytes', (t) => {
  const property = fc.property(
    fc.constantFrom('chatapp', 'photoapp', 'pageapp'),
    fc.array(rawJson, { minLength: 7, maxLength: 7 }),
    (object, [a, b, c, d, e, f, g]) => {
      const text = `{"object":"${object}","entry":[${a},{"id":${b},"changes":[{"field":"feed","value":${c}},{"value":{"metadata":${d},"contacts":${e},"messages":[${f}]}}]},{"id":"A","messaging":[${g}]}]}`;
      for (const { body, key } of itemsOf(text)) {
        JSON.parse(textOf(body));
        t.true(textOf(body).includes(textOf(key.bytes)));
      }
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test('an envelope with too many items becomes one item for staff', (t) => {
  const count = 50_001;
  const chat = `{"object":"chatapp","entry":[{"changes":[{"field":"messages","value":{"messages":[${'0,'.repeat(count)}0]}}]}]}`;
  const page = `{"object":"pageapp","entry":[${'{},'.repeat(count)}{}]}`;
  for (const text of [chat, page]) {
    const [item, ...others] = itemsOf(text);
    t.is(others.length, 0);
    t.is(item!.resourceId, null);
    t.is(item!.body.length, text.length);
  }
});

test('splitting a long escaped key takes less than eight scans', (t) => {
  const bytes = Buffer.from(`{"object":"chatapp","entry":[{"\\u006d${'a'.repeat(4_000_000)}":1,"changes":[]}]}`);
  const scanMs = leastCpuMs(() => void scanJson(bytes), { enoughMs: 0 });
  const mostMs = scanMs * 8;
  const splitMs = leastCpuMs(() => void splitEnvelope(bytes, platformVocabulary), { enoughMs: mostMs });
  t.true(splitMs < mostMs, `${splitMs} ms beside ${scanMs} ms`);
});
