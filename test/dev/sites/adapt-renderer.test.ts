import test from 'ava';
import { adaptRenderer } from '../../../dev/sites/adapt-renderer.ts';

test('a renderer without the expected code fails the build', (t) => {
  const failure = t.throws(() => adaptRenderer('export {};'));
  t.regex(failure.message, /no longer has one place.*innerHTML/s);
});
