import fc from 'fast-check';

/** Raw JSON texts that parsing and serializing would change. */
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');
const oddNumber = fc.constantFrom('-0', '1e400', '12345678901234567890', '0.10', '-1E-7', '1.0', '0');
const oddString = fc.constantFrom(
  '"\\u0041"',
  '"\\/"',
  '"\\ud800"',
  '"é😀"',
  '"\\u00e9"',
  '""',
  '"__proto__"',
  '"]},"',
);
const anyString = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text));
const oddKey = fc.constantFrom('"a"', '"a"', '"__proto__"', '"constructor"', '"\\u0065ntry"', '"entry"', '"id"', '""');

const { value } = fc.letrec<{ value: string }>((tie) => {
  const item = fc.tuple(space, tie('value'), space).map((parts) => parts.join(''));
  const member = fc.tuple(space, oddKey, space, item).map(([lead, key, gap, text]) => `${lead}${key}${gap}:${text}`);
  return {
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(oddNumber, oddString, anyString, fc.constantFrom('true', 'false', 'null')),
      fc.tuple(space, fc.array(item, { maxLength: 4 })).map(([gap, items]) => `[${items.join(',') || gap}]`),
      fc.tuple(space, fc.array(member, { maxLength: 4 })).map(([gap, members]) => `{${members.join(',') || gap}}`),
    ),
  };
});

export const rawJson = value;
export const rawSpace = space;
