import { randomBytes } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { idKeyFrom, isId, randomId, sequencedId, sequenceOf } from '../../contract/ids.ts';

const key = idKeyFrom(randomBytes(48));
const sequence = fc.integer({ min: 0, max: 62 ** 8 - 1 });

test('an id decodes to its sequence number', (t) => {
  fc.assert(fc.property(sequence, (n) => sequenceOf(key, 'delivery', sequencedId(key, 'delivery', n)) === n));
  t.pass();
});

test('every sequence number has a well-formed id', (t) => {
  fc.assert(fc.property(sequence, (n) => isId('event', sequencedId(key, 'event', n))));
  t.pass();
});

test('consecutive sequence numbers have different ids', (t) => {
  const ids = Array.from({ length: 10_000 }, (_, n) => sequencedId(key, 'delivery', n));
  t.is(new Set(ids).size, ids.length);
});

test('an event and a delivery with equal numbers have different ids', (t) => {
  t.not(sequencedId(key, 'event', 7).slice(4), sequencedId(key, 'delivery', 7).slice(3));
});

test('an id of another kind or form has no sequence number', (t) => {
  for (const text of ['wd_1234567', 'wd_123456789', 'evt_12345678', 'wd_1234-678', '', 'wd_ABCDEFGH ']) {
    t.is(sequenceOf(key, 'delivery', text), undefined);
  }
});

test('a random id has the form of its kind', (t) => {
  for (let n = 0; n < 200; n++) t.true(isId('workspace', randomId('workspace', randomBytes)));
});
