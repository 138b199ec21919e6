import test from 'ava';
import { hasTooManyValues } from '../../../contract/envelope/json-values.ts';

const isRefused = (value: unknown): boolean => hasTooManyValues(Buffer.from(JSON.stringify(value)));
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

test('a body may have 20,000 values', (t) => {
  // The object, its list, and the commas between the values.
  t.false(isRefused({ a: zeros(19_999) }));
  t.true(isRefused({ a: zeros(20_000) }));
  t.true(isRefused(zeros(20_000).map(() => [])));
  t.true(isRefused(Object.fromEntries(zeros(20_001).map((_, n) => [`k${n}`, 1]))));
});

test('marks within texts do not count', (t) => {
  t.false(isRefused({ a: ',[{'.repeat(300_000) }));
  t.false(isRefused({ a: JSON.stringify({ b: zeros(50_000), c: String.raw`\"\\` }) }));
  t.true(isRefused({ a: String.raw`\\`, b: zeros(20_000) }), 'a text that ends with a backslash ends');
});

test('an unfinished text ends the count', (t) => {
  t.false(hasTooManyValues(Buffer.from(`{"a":"${','.repeat(50_000)}`)));
});
