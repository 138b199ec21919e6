import { stripVTControlCharacters as plain } from 'node:util';
import test from 'ava';
import { createStatusLine, type Output } from '../../../dev/demo/status-line.ts';

function recording(options: Pick<Output, 'isTTY' | 'columns'> = {}) {
  const written: string[] = [];
  const output: Output = { ...options, write: (text) => written.push(text) };
  return { written, status: createStatusLine({ output, prefix: 'start |' }) };
}

/** The lines as a terminal shows them. */
function screen(written: readonly string[]): string[] {
  const lines = written.join('').split('\n');
  return lines.map((line) => plain(line.split('\r').at(-1) ?? '').trimEnd());
}

test('a terminal shows phases in one line below the output', (t) => {
  const { written, status } = recording({ isTTY: true, columns: 80 });
  status.phase('Starting PostgreSQL');
  status.lines('start | Storing data elsewhere.\n');
  status.phase('Starting Temporal');
  t.deepEqual(screen(written), ['start | Storing data elsewhere.', 'start | Starting Temporal 0 s']);
  status.end();
  status.lines('start | Everything is up\n');
  t.deepEqual(screen(written), ['start | Storing data elsewhere.', 'start | Everything is up', '']);
});

test('a phase never wraps', (t) => {
  const { written, status } = recording({ isTTY: true, columns: 40 });
  status.phase('Temporal: building a version that has a long name');
  t.true(screen(written).at(-1)!.length < 40);
  t.regex(screen(written).at(-1)!, /… 0 s$/);
  status.end();
});

test('a terminal that does not know its width shows the whole phase', (t) => {
  const { written, status } = recording({ isTTY: true, columns: 0 });
  status.phase('Starting PostgreSQL');
  t.deepEqual(screen(written), ['start | Starting PostgreSQL 0 s']);
  status.end();
});

test('a file gets one line for each phase', (t) => {
  const { written, status } = recording();
  for (const name of ['one', 'two']) status.phase(name);
  status.lines('other\n');
  status.end();
  t.deepEqual(written, ['start | one\n', 'start | two\n', 'other\n']);
});
