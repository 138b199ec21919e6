import { randomBytes } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { createSecretBox } from '../../../db/core/secret-box.ts';

const ringKey = (id: string) => ({ id, bytes: randomBytes(32) });
const key = ringKey('k1');
const box = createSecretBox([key]);

test('a sealed text opens only in its own context', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
      const sealed = box.seal(plain, context);
      t.is(box.open(sealed, context), plain);
      t.throws(() => box.open(sealed, `${context}x`));
    }),
    { numRuns: 50 },
  );
});

test('sealing a text twice gives different texts under the first key', (t) => {
  t.not(box.seal('secret', 'here'), box.seal('secret', 'here'));
  t.regex(box.seal('secret', 'here'), /^v1\.k1\.[\w-]{16}\.[\w-]+$/);
});

test('older keys of the ring still open', (t) => {
  const ring = createSecretBox([ringKey('k2'), key]);
  t.is(ring.open(box.seal('secret', 'here'), 'here'), 'secret');
  t.true(ring.seal('secret', 'here').startsWith('v1.k2.'));
});

test('a modified sealed text does not open', (t) => {
  const sealed = box.seal('secret', 'here');
  for (let index = 0; index < sealed.length; index++) {
    const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1);
    // The last character of base64 holds bits that belong to no byte.
    if (
      Buffer.from(changed.split('.')[3] ?? '', 'base64url').equals(
        Buffer.from(sealed.split('.')[3] ?? '', 'base64url'),
      ) &&
      changed.startsWith(sealed.slice(0, 22))
    )
      continue;
    t.throws(() => box.open(changed, 'here'), undefined, changed);
  }
  for (const text of ['', 'v1', 'v1.k1..', 'v2.k1.a.b', `${sealed}.more`]) t.throws(() => box.open(text, 'here'));
});

test('the error for a missing key names the key', (t) => {
  t.throws(() => createSecretBox([ringKey('k2')]).open(box.seal('secret', 'here'), 'here'), { message: /no key k1/ });
});

test('a ring without a key is refused', (t) => {
  t.throws(() => createSecretBox([]));
});
