import test from 'ava';
import fc from 'fast-check';
import { formatJson } from '../../client/json-text.ts';

const textOf = (json: string): string | undefined =>
  formatJson(json)
    ?.map(({ text }) => text)
    .join('');

test('JSON is formatted like JSON.stringify', (t) => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      t.is(textOf(json), JSON.stringify(JSON.parse(json), null, 2));
    }),
  );
});

test('long numbers and escaped strings stay unchanged', (t) => {
  t.is(textOf('{"id":12345678901234567890,"n":1.50,"s":"a\\u00e9\\"b"}'), '{\n  "id": 12345678901234567890,\n  "n": 1.50,\n  "s": "a\\u00e9\\"b"\n}'); // prettier-ignore
});

test('parts have the right kinds', (t) => {
  const kinds = formatJson('{"a":["b",-1e3,null]}')?.filter(({ kind }) => kind !== 'mark');
  t.deepEqual(kinds, [
    { kind: 'key', text: '"a"' },
    { kind: 'string', text: '"b"' },
    { kind: 'number', text: '-1e3' },
    { kind: 'word', text: 'null' },
  ]);
});

test('a string that is not JSON is not formatted', (t) => {
  for (const text of ['', '{', 'hello', '{"a":1}x']) t.is(formatJson(text), undefined, text);
});
