import test from 'ava';
import fc from 'fast-check';
import { decodeJsonString } from '../../../contract/envelope/json-text.ts';
import { scanJson } from '../../../contract/envelope/json-tape.ts';
import { rawJson } from '../../harness/envelope/split-raw-json.ts';

const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parses(bytes: Uint8Array): boolean {
  try {
    JSON.parse(strictText.decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const scans = (bytes: Uint8Array): boolean => !('faultAtByte' in scanJson(bytes));
const agrees = (bytes: Uint8Array): boolean => scans(bytes) === parses(bytes);

test('valid JSON is accepted in every notation', (t) => {
  fc.assert(fc.property(rawJson, (text) => scans(Buffer.from(text))));
  t.pass();
});

test('a damaged text is accepted if and only if JSON.parse accepts it', (t) => {
  const damage = fc.array(
    fc.tuple(fc.nat(), fc.constantFrom(...Buffer.from('{}[]",:\\u0-+.eE1tfn \n\x00\x1f\x7f\x80\xc3\xa9', 'latin1'))),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  const property = fc.property(rawJson, damage, fc.nat(), (text, changes, cut) => {
    const bytes = Buffer.from(text);
    for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return agrees(bytes) && agrees(bytes.subarray(0, cut % (bytes.length + 1)));
  });
  fc.assert(property, { numRuns: 2000 });
  t.pass();
});

test('string bytes are accepted exactly if they are UTF-8', (t) => {
  const sequences = fc.array(
    fc.oneof(fc.constantFrom(0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5), fc.integer({ min: 0x7e, max: 0xc1 })),
    {
      maxLength: 5,
    },
  );
  const inString = (bytes: readonly number[]): Uint8Array => Uint8Array.from([0x22, ...bytes, 0x22]);
  fc.assert(
    fc.property(sequences, (bytes) => agrees(inString(bytes))),
    { numRuns: 5000 },
  );
  for (let lead = 0x80; lead < 0x100; lead++) {
    for (let second = 0x70; second < 0xd0; second++) {
      if (!agrees(inString([lead, second, 0x80, 0x80]))) t.fail(`${lead} ${second}`);
      if (!agrees(inString([lead, second, 0x80]))) t.fail(`${lead} ${second}`);
      if (!agrees(inString([lead, second]))) t.fail(`${lead} ${second}`);
    }
  }
  t.pass();
});

for (const text of [
  '',
  ' ',
  '01',
  '-',
  '1.',
  '.5',
  '1e',
  '+1',
  'nul',
  'True',
  '"a',
  '"\\x"',
  '"\\u12g4"',
  '"\t"',
  '[1,]',
  '[,1]',
  '{"a":1,}',
  '{a:1}',
  '{"a" 1}',
  '{"a":}',
  '[1}',
  '{]',
  '[] []',
  '\ufeff{}',
  '{"a":1',
  '"\\',
  '"\\u00',
  "'a'",
  '/**/1',
  'NaN',
  '1 2',
  '\u00a01',
  '{1:2}',
  ':',
  '"\u0000"',
]) {
  test(`invalid JSON is refused: ${JSON.stringify(text)}`, (t) => {
    t.false(parses(Buffer.from(text)));
    t.false(scans(Buffer.from(text)));
  });
}

test('a string decodes like JSON.parse', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isEscaped) => {
      const raw = JSON.stringify(text);
      const written = isEscaped
        ? raw.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : raw;
      const bytes = Buffer.from(written);
      return decodeJsonString(bytes, 1, bytes.length - 1) === JSON.parse(written);
    }),
  );
  const escapes = Buffer.from('\\b\\f\\n\\r\\t\\/\\"\\\\\\uD83D\\ude00');
  t.is(decodeJsonString(escapes, 0, escapes.length), '\b\f\n\r\t/"\\😀');
});

test('deep nesting does not overflow the stack', (t) => {
  const depth = 100_000;
  t.true(scans(Buffer.from('['.repeat(depth) + ']'.repeat(depth))));
  t.true(scans(Buffer.from('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))));
  t.false(scans(Buffer.from('['.repeat(depth))));
  t.false(scans(Buffer.from('['.repeat(depth) + '}'.repeat(depth))));
});

test('a fault has the byte offset where scanning stopped', (t) => {
  t.deepEqual(scanJson(Buffer.from('{"a":x}')), { faultAtByte: 5 });
  t.deepEqual(scanJson(Buffer.from('{"a":1')), { faultAtByte: 6 });
});
