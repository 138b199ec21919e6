import test from 'ava';
import { shownText } from '../../../platform/client/shown-text.ts';

test('a secret is redacted in every spelling and context', (t) => {
  const secret = 'a+b/c.d|[e](f)';
  t.is(shownText(`x${secret}y ${encodeURIComponent(secret)} a+b/cXd`, [secret]), 'x[redacted]y [redacted] a+b/cXd');
  t.is(shownText('abcdefgh-longer abcdefgh', ['abcdefgh', 'abcdefgh-longer']), '[redacted] [redacted]');
  t.is(shownText('anything', ['']), 'anything');
});

test('a short secret is redacted only as a whole word', (t) => {
  t.is(shownText('s=s, (s) this is', ['s']), '[redacted]=[redacted], ([redacted]) this is');
});

test('a text becomes one bounded line without control or direction characters', (t) => {
  t.is(shownText(' one\r\n\ttwo\u0000\u2028three\u202Efour ', []), 'one two three four');
  t.is(shownText('😀'.repeat(301), []), `${'😀'.repeat(299)}…`);
  t.is(shownText('😀'.repeat(300), []), '😀'.repeat(300));
  t.is(shownText('half \ud83d', []), 'half \ufffd');
});
