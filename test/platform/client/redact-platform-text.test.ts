import test from 'ava';
import { redactPlatformText } from '../../../platform/client/rejection.ts';

test('a secret is redacted in every spelling and context', (t) => {
  const secret = 'a+b/c.d|[e](f)';
  t.is(
    redactPlatformText(`x${secret}y ${encodeURIComponent(secret)} a+b/cXd`, [secret]),
    'x[redacted]y [redacted] a+b/cXd',
  );
  t.is(redactPlatformText('abcdefgh-longer abcdefgh', ['abcdefgh', 'abcdefgh-longer']), '[redacted] [redacted]');
  t.is(redactPlatformText('anything', ['']), 'anything');
});

test('a short secret is redacted only as a whole word', (t) => {
  t.is(redactPlatformText('s=s, (s) this is', ['s']), '[redacted]=[redacted], ([redacted]) this is');
});

test('a string becomes one bounded line without control or direction characters', (t) => {
  t.is(redactPlatformText(' one\r\n\ttwo\u0000\u2028three\u202Efour ', []), 'one two three four');
  t.is(redactPlatformText('😀'.repeat(301), []), `${'😀'.repeat(299)}…`);
  t.is(redactPlatformText('😀'.repeat(300), []), '😀'.repeat(300));
  t.is(redactPlatformText('half \ud83d', []), 'half \ufffd');
});
