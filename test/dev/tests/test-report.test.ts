import { Readable } from 'node:stream';
import test from 'ava';
import { reportTests } from '../../../dev/tests/test-report.ts';

const both = ['test/api/a.test.ts', 'test/worker/b.test.ts'];
const running = new AbortController().signal;

async function reported(text: string, files = both, signal = running) {
  const lines: string[] = [];
  const counts = await reportTests({
    streams: [Readable.from([text])],
    files,
    print: (line) => lines.push(line),
    signal,
  });
  return { counts, lines };
}

const passed = '  ✔ batches › 1-api › test/api/a.test.ts › one thing (1.2s)\n  ✔ worker › b › another thing\n';

test('a run without failures is only counted', async (t) => {
  const { counts, lines } = await reported(`\nnoise of a process\n${passed}  ─\n\n  2 tests passed\n`);
  t.like(counts, { passed: 2, failed: 0 });
  t.deepEqual(lines, []);
});

test('a failed test is named at once and explained at the end', async (t) => {
  const failure = '  ✘ [fail]: batches › 1-api › test/api/a.test.ts › two Error';
  const details = '  ─\n\n  two\n\n  Difference (- actual, + expected):\n\n  - 1\n  + 2\n\n  ─\n\n  1 test failed';
  const { counts, lines } = await reported(`${passed}noise\n${failure}\n${details}\n`);
  t.like(counts, { passed: 2, failed: 1 });
  t.deepEqual(counts.failedFiles, ['test/api/a.test.ts']);
  t.is(lines[0], '✘ batches › 1-api › test/api/a.test.ts › two Error');
  t.is(lines.slice(1).join('\n'), details);
});

test('a failed test is explained by what it logged', async (t) => {
  const failure = '  ✘ [fail]: worker › b › two\n    ℹ worker 1 | boom\n      worker 1 | bang\n';
  const { lines } = await reported(`${failure}${passed}    ℹ fine\n  ─\n\n  two\n\n  ─\n\n  1 test failed\n`);
  t.deepEqual(lines.slice(0, 4), [
    '✘ worker › b › two',
    '  worker › b › two',
    '    ℹ worker 1 | boom',
    '      worker 1 | bang',
  ]);
  t.false(lines.join('\n').includes('fine'));
});

test('an error outside of tests shows the last lines', async (t) => {
  const { counts, lines } = await reported(
    `${passed}  Uncaught exception in x\n  boom\n  ─\n\n  1 uncaught exception\n`,
  );
  t.like(counts, { passed: 2, failed: 1 });
  t.true(lines.join('\n').includes('Uncaught exception in x\n  boom'));
});

test('pending tests and hooks count as failed', async (t) => {
  const { counts } = await reported('  ─\n\n  1 hook failed\n  3 tests remained pending after a timeout\n', []);
  t.is(counts.failed, 4);
});

test('a process that crashes after its tests is a failure', async (t) => {
  const open = 'Left open after the last test: PipeWrap';
  const crash = '✘ test/worker/b.test.ts exited with a non-zero exit code: 1';
  const { counts, lines } = await reported(`${passed}${open}\n  ${crash}\n  ─\n\n  2 tests passed\n`);
  t.like(counts, { passed: 2, failed: 1, crashed: 1 });
  t.deepEqual(counts.failedFiles, ['test/worker/b.test.ts']);
  t.deepEqual(lines, [open, crash]);
});

test('an error that crashes its process is one failure', async (t) => {
  const crash = '✘ test/worker/b.test.ts exited with a non-zero exit code: 1';
  const { counts } = await reported(`${passed}  ${crash}\n  ─\n\n  1 unhandled rejection\n`);
  t.like(counts, { passed: 2, failed: 1 });
});

test('output that ends early is shown', async (t) => {
  const { lines } = await reported('out of memory\n', []);
  t.deepEqual(lines, ['out of memory']);
});

test('a file of which no test ran is a failure', async (t) => {
  const { counts, lines } = await reported(`${passed}  - [skip] worker › c › not here\n  ─\n\n  2 tests passed\n`, [
    'test/api/a.test.ts',
    'test/worker/b.test.ts',
    'test/worker/c.test.ts',
    'test/worker/d.test.ts',
  ]);
  t.like(counts, { passed: 2, failed: 1 });
  t.deepEqual(lines, ['No test of test/worker/d.test.ts ran.']);
});

test('colored output is read like plain output', async (t) => {
  const colored = `${passed}  ─\n\n  2 tests passed\n`.replaceAll(/✔|─/g, '\u001b[32m$&\u001b[39m');
  t.true(colored.includes('\u001b['));
  const { counts, lines } = await reported(colored);
  t.like(counts, { passed: 2, failed: 0 });
  t.deepEqual(lines, []);
});

test('a file that an interrupted run did not reach is no failure', async (t) => {
  const { counts, lines } = await reported('  ─\n\n', both, AbortSignal.abort());
  t.like(counts, { passed: 0, failed: 0 });
  t.deepEqual(lines, []);
});
