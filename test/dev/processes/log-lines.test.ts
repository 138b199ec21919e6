import { stripVTControlCharacters as plain } from 'node:util';
import test from 'ava';
import { eventOfLine, linePrefixer, readableLine } from '../../../dev/processes/log-lines.ts';

const line = (fields: Record<string, unknown>) =>
  JSON.stringify({ level: 30, time: 0, pid: 1, hostname: 'h', ...fields });

test('a JSON log line is shown as time, level, event and fields', (t) => {
  const shown = plain(
    readableLine(line({ msg: 'delivery.attempted', status: 503, url: 'http://a/b', note: 'two words' })),
  );

  t.regex(shown, /^\d\d:\d\d:\d\d\.000 info {2}delivery\.attempted status=503 url=http:\/\/a\/b note="two words"$/);
});

test('an error is shown with its indented stack', (t) => {
  const shown = plain(
    readableLine(line({ level: 50, msg: 'api.failed', error: { message: 'no', stack: 'Error: no\n    at x' } })),
  );

  t.true(shown.endsWith('error api.failed\n  Error: no\n      at x'), shown);
});

test('an error without a stack is an ordinary field', (t) => {
  t.true(plain(readableLine(line({ msg: 'a.b', error: 'timeout' }))).endsWith('a.b error=timeout'));
});

test('any other line stays unchanged', (t) => {
  for (const text of ['', 'plain', '{"not":"a log line"}', '{broken', '[1]']) t.is(readableLine(text), text);
});

test('every part of a line has the name of its process', (t) => {
  const prefixed = linePrefixer(['api', 'worker']);

  t.is(plain(prefixed('api', 'one\ntwo')), 'api    | one\napi    | two\n');
  t.is(plain(prefixed('worker', 'three')), 'worker | three\n');
});

test('only a JSON log line has an event', (t) => {
  t.is(eventOfLine(line({ msg: 'worker.started' })), 'worker.started');
  t.is(eventOfLine('worker.started'), undefined);
});
