import test from 'ava';
import fc from 'fast-check';
import { isVisibleText, visibleText } from '../../../contract/text/visible-text.ts';

const visible = [
  ...[
    'Acme Inc.',
    "O'Brien & Söhne",
    '株式会社',
    'شركة',
    'עסק',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f',
    '1\ufe0f⃣',
    '葛\u{e0100}',
  ],
  ...['मुंबई', '카페', '+1 555 0100', '-', '🏳\ufe0f\u200d🌈'],
];

for (const text of visible) test(`a name may be ${JSON.stringify(text)}`, (t) => t.true(isVisibleText(text)));

/** One of each kind, by code point. */
const invisible = [
  ...[
    0x0, 0x9, 0xa, 0x1b, 0x7f, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f,
  ],
  ...[0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2063, 0x2066, 0x2069, 0x206a, 0x2800, 0x3164],
  ...[0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffe, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
];

for (const code of invisible) {
  test(`U+${code.toString(16)} is in no name`, (t) => {
    const character = String.fromCodePoint(code);
    for (const text of [`Acme${character}`, `Ac${character}me`, `${character}Acme`, character]) {
      t.false(isVisibleText(text), JSON.stringify(text));
      t.is(visibleText(text).replaceAll(' ', ''), text === character ? '' : 'Acme');
    }
  });
}

test('a cleaned name is visible or empty', (t) => {
  const character = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom(...invisible.map((code) => String.fromCodePoint(code))),
  );
  fc.assert(
    fc.property(fc.array(character), (parts) => {
      const cleaned = visibleText(parts.join(''));
      return cleaned === '' || isVisibleText(cleaned);
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});
