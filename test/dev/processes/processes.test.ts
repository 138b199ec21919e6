import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { processIdentity } from '../../../dev/processes/process-identity.ts';
import { type ProcessSpec, startProcess, StartFailed } from '../../../dev/processes/processes.ts';

async function started(t: ExecutionContext, script: string, options: Partial<ProcessSpec> = {}) {
  const pids: number[] = [];
  const notices: string[] = [];
  const lines = new EventEmitter();
  const spec: ProcessSpec = {
    name: 'script',
    command: process.execPath,
    args: ['-e', script],
    env: {},
    stopDeadlineMs: 120_000,
    startDeadlineMs: 120_000,
    isReady: ({ tail }) => tail.includes('up'),
    ...options,
  };
  const running = await startProcess(spec, {
    onLine: (line) => lines.emit(line),
    onPid: (pid) => pid !== undefined && pids.push(pid),
    onNotice: (text) => notices.push(text),
  });
  t.teardown(() => running.stop());
  return { running, pids, notices, lines };
}

const untilStopped = `console.log('up'); setInterval(() => {}, 1000);`;

test('a killed process is restarted', async (t) => {
  const { running, pids, notices, lines } = await started(t, untilStopped);
  const back = once(lines, 'up', { signal: AbortSignal.timeout(120_000) });
  process.kill(running.pid!, 'SIGKILL');
  await back;

  t.is(pids.length, 2);
  t.deepEqual(notices, ['was killed by SIGKILL; restarting in 0.2 s']);
});

test('a stopped process gets SIGTERM and is not restarted', async (t) => {
  const script = `process.on('SIGTERM', () => { console.log('drained'); process.exit(0); }); ${untilStopped}`;
  const { running, pids, lines } = await started(t, script);
  const drained = once(lines, 'drained', { signal: AbortSignal.timeout(120_000) });
  await running.stop();
  await drained;

  t.is(running.pid, undefined);
  t.is(processIdentity(pids[0]!), undefined);
  t.is(pids.length, 1);
});

test('a process that ignores SIGTERM is killed after its deadline', async (t) => {
  const script = `process.on('SIGTERM', () => {}); ${untilStopped}`;
  const { running, pids, notices } = await started(t, script, { stopDeadlineMs: 100 });
  await running.stop();

  t.is(processIdentity(pids[0]!), undefined);
  t.deepEqual(notices, ['did not stop within 0.1 s and is killed']);
});

test('a process that exits before it is ready fails with its output', async (t) => {
  const script = `console.error('no database'); process.exit(3);`;
  const { message } = await t.throwsAsync(started(t, script), { instanceOf: StartFailed });

  t.is(message, 'script exited with code 3. Last output:\n  no database\n');
});

test('a process that is not ready in time is stopped and fails', async (t) => {
  const { message } = await t.throwsAsync(started(t, untilStopped, { startDeadlineMs: 300, isReady: () => false }), {
    instanceOf: StartFailed,
  });

  t.true(message.startsWith('script was not ready after 0.3 s'), message);
});

test('a missing program is named in the error', async (t) => {
  const { message } = await t.throwsAsync(started(t, '', { command: '/no/such/program' }), { instanceOf: StartFailed });

  t.true(message.includes('/no/such/program'), message);
});

test('a transient failure is retried', async (t) => {
  let attempts = 0;
  const options = { isTransient: () => ++attempts < 3 };
  await t.throwsAsync(started(t, `console.log('busy'); process.exit(1)`, options), { instanceOf: StartFailed });

  t.is(attempts, 3);
});
