import { createHash } from 'node:crypto';
import test from 'ava';
import { keyHash, requestHash } from '../../../api/routing/request-hash.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

test('a request hash ignores field order and keeps item order', (t) => {
  const stored = sha256('{"a":[{"b":1,"c":null},2],"d":"x"}');
  t.deepEqual(requestHash({ d: 'x', a: [{ c: null, b: 1 }, 2], e: undefined }), stored);
  t.notDeepEqual(requestHash({ d: 'x', a: [2, { c: null, b: 1 }] }), stored);
});

test('a key hash is the SHA-256 of the key', (t) => {
  t.deepEqual(keyHash('staff:key-1'), sha256('staff:key-1'));
});
