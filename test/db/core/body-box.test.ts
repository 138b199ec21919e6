import { randomBytes } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import { type BodyBox, BodyUnreadable, createBodyBox, SEALED_OVERHEAD_BYTES } from '../../../db/core/body-box.ts';

const ringKey = (id: string) => ({ id, bytes: randomBytes(32) });
const key = ringKey('k1');
const box = createBodyBox({ keys: [key], encryptsBodies: true });
const openWith = (opener: BodyBox, sealed: Buffer, context = 'here') =>
  opener.open({ sealed, keyId: box.activeKeyId, context });

test('a sealed body opens unchanged, only in its own context', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.string(), (plain, context) => {
      const sealed = box.seal(plain, context);
      t.is(sealed.length, plain.length + SEALED_OVERHEAD_BYTES);
      t.deepEqual(openWith(box, sealed, context), Buffer.from(plain));
      t.throws(() => openWith(box, sealed, `${context}x`), { instanceOf: BodyUnreadable });
    }),
    { numRuns: 50 },
  );
});

test('another process with the same ring opens the body', (t) => {
  const other = createBodyBox({ keys: [ringKey('k2'), key], encryptsBodies: false });
  t.is(String(openWith(other, box.seal(Buffer.from('text'), 'here'))), 'text');
});

test('each process derives its own data key', (t) => {
  const salt = (opener: BodyBox) => opener.seal(Buffer.from('text'), 'here').subarray(1, 17).toString('hex');
  t.is(salt(box), salt(box));
  t.not(salt(box), salt(createBodyBox({ keys: [key], encryptsBodies: true })));
});

test('no two sealed bodies have the same nonce', (t) => {
  const nonces = Array.from({ length: 3_000 }, () => box.seal(Buffer.from('text'), 'here').toString('hex', 17, 29));
  t.is(new Set(nonces).size, 3_000);
});

test('a modified sealed body does not open', (t) => {
  const sealed = box.seal(Buffer.from('text'), 'here');
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    t.throws(() => openWith(box, changed), { instanceOf: BodyUnreadable }, String(index));
    t.throws(() => openWith(box, sealed.subarray(0, index)), { instanceOf: BodyUnreadable }, String(index));
  }
});

test('the error for a missing key names only that key', (t) => {
  const other = createBodyBox({ keys: [ringKey('k2')], encryptsBodies: true });
  const error = t.throws(() => openWith(other, box.seal(Buffer.from('text'), 'here')), { instanceOf: BodyUnreadable });
  t.like(error, { keyId: 'k1', code: 'body_unreadable' });
});

test('the setting decides whether a body is stored sealed', (t) => {
  const plain = Buffer.from('text');
  t.deepEqual(createBodyBox({ keys: [key], encryptsBodies: false }).store(plain, 'here'), {
    bytes: plain,
    keyId: null,
  });
  const stored = box.store(plain, 'here');
  t.is(stored.keyId, 'k1');
  t.false(Buffer.from(stored.bytes).includes(plain));
});
