import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { AlreadyRunning, processRegister, stopOrphans, takeInstanceLock } from '../../dev/instance-lock.ts';
import { isRunning, processIdentity } from '../../dev/processes/process-identity.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

async function sleeper(t: ExecutionContext, script = 'setInterval(() => {}, 1000)') {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { pid: child.pid!, ended: once(child, 'exit') };
}

test('a second start in one data folder fails and names the owner', async (t) => {
  const path = join(await temporaryFolder(t), 'start.lock');
  await takeInstanceLock(path);

  const error = await t.throwsAsync(takeInstanceLock(path), { instanceOf: AlreadyRunning });

  t.true(error.message.includes(`process ${process.pid}`));
});

test('a released lock can be taken again', async (t) => {
  const path = join(await temporaryFolder(t), 'start.lock');
  const lock = await takeInstanceLock(path);
  await lock.release();

  await t.notThrowsAsync(takeInstanceLock(path));
});

test('the lock of a dead process is taken over', async (t) => {
  const path = join(await temporaryFolder(t), 'start.lock');
  const { pid, ended } = await sleeper(t);
  const identity = processIdentity(pid);
  process.kill(pid, 'SIGKILL');
  await ended;
  await writeFile(path, JSON.stringify({ name: 'npm start', pid, identity }));

  await t.notThrowsAsync(takeInstanceLock(path));
});

test('the lock of a process whose pid was reused is taken over', async (t) => {
  const path = join(await temporaryFolder(t), 'start.lock');
  await writeFile(path, JSON.stringify({ name: 'npm start', pid: process.pid, identity: 'an earlier process' }));

  await t.notThrowsAsync(takeInstanceLock(path));
});

test('an unreadable lock is taken over', async (t) => {
  const path = join(await temporaryFolder(t), 'start.lock');
  await writeFile(path, '{half');

  await t.notThrowsAsync(takeInstanceLock(path));
});

test('a process that an earlier start left running is stopped', async (t) => {
  const path = join(await temporaryFolder(t), 'pids.json');
  const { pid, ended } = await sleeper(t);
  const identity = processIdentity(pid) ?? '';
  await processRegister(path)('worker', pid);

  const messages: string[] = [];
  const count = await stopOrphans({ path, say: (text) => messages.push(text) });
  await ended;

  t.is(count, 1);
  t.false(isRunning({ pid, identity }));
  t.deepEqual(messages, [`Stopping worker (process ${pid}), which an earlier start left running.`]);
});

test('a process with a reused pid is not stopped', async (t) => {
  const path = join(await temporaryFolder(t), 'pids.json');
  const { pid } = await sleeper(t);
  await writeFile(path, JSON.stringify([{ name: 'worker', pid, identity: 'an earlier process' }]));

  t.is(await stopOrphans({ path, say: () => undefined }), 0);
  t.truthy(processIdentity(pid));
});

test('the register lists the running processes only', async (t) => {
  const path = join(await temporaryFolder(t), 'pids.json');
  const register = processRegister(path);
  void register('worker', process.pid);
  void register('api', process.pid);
  await register('worker', undefined);

  const names = JSON.parse(await readFile(path, 'utf8')).map(({ name }: { name: string }) => name);
  t.deepEqual(names, ['api']);
});
