import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { startPostgres } from '../../../dev/postgres/embedded-postgres.ts';
import { connectPatiently } from '../../harness/database/connect-patiently.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

async function dataFolder(t: ExecutionContext): Promise<string> {
  const path = await temporaryFolder(t);
  // As root, the server runs as another user, who must be able to enter the folder.
  await chmod(path, 0o711);
  return join(path, 'postgres');
}

async function postgres(t: ExecutionContext, dataDir: string) {
  const messages: string[] = [];
  const pids: number[] = [];
  const running = await startPostgres({
    dataDir,
    durable: false,
    onProgress: (text) => messages.push(text),
    onPid: (pid) => pid !== undefined && pids.push(pid),
  });
  t.teardown(() => running.stop());
  return { running, messages, pids };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const db = connectPatiently({ url, applicationName: 'test', poolSize: 1 });
  try {
    return (await db.raw(sql)).rows;
  } finally {
    await db.destroy();
  }
}

test('data, password and port survive a restart', async (t) => {
  const dataDir = await dataFolder(t);
  const first = await postgres(t, dataDir);
  await query(first.running.url, 'create table kept as select 7 as value');
  await first.running.stop();

  const second = await postgres(t, dataDir);

  t.is(second.running.url, first.running.url);
  t.deepEqual(await query(second.running.url, 'select value from kept'), [{ value: 7 }]);
});

test('a new database is UTF-8 and requires the password', async (t) => {
  const dataDir = await dataFolder(t);
  const { running } = await postgres(t, dataDir);

  const [row] = await query(running.url, `select current_setting('server_encoding') as encoding, upper('ä') as upper`);
  t.deepEqual(row, { encoding: 'UTF8', upper: 'Ä' });
  for (const path of [`${dataDir}.json`, `${dataDir}.log`]) t.is((await stat(path)).mode & 0o777, 0o600, path);
  t.is((await stat(running.folder)).mode & 0o777, 0o700);
  const [listening] = await query(
    running.url,
    `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`,
  );
  t.deepEqual(listening, { addresses: '127.0.0.1', sockets: '' });
  const wrong = new URL(running.url);
  wrong.password = 'wrong';
  await t.throwsAsync(query(wrong.href, 'select 1'), { message: /password authentication failed/ });
});

test('a killed server is restarted with its data', async (t) => {
  const dataDir = await dataFolder(t);
  const { running, pids } = await postgres(t, dataDir);
  await query(running.url, 'create table kept as select 7 as value');
  process.kill(pids[0]!, 'SIGKILL');

  await untilReady({ dataDir, isServer: (pid) => pid !== pids[0] && pid === pids.at(-1) });
  t.deepEqual(await query(running.url, 'select value from kept'), [{ value: 7 }]);
});

test('a server of a killed start is stopped and replaced', async (t) => {
  const dataDir = await dataFolder(t);
  const module = join(import.meta.dirname, '../../../dev/postgres/embedded-postgres.ts');
  const script = `const { startPostgres } = await import(${JSON.stringify(module)});
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false, onProgress: () => {} }); console.log('up');
    process.stdin.on('end', () => process.exit()).resume();`;
  const start = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(start.stdout, 'data');
  start.kill('SIGKILL');
  await once(start, 'exit');
  const orphan = Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);

  const { running, messages } = await postgres(t, dataDir);

  t.deepEqual(messages, [`Stopping PostgreSQL (process ${orphan}), which an earlier start left running.`]);
  t.deepEqual(await query(running.url, 'select 1 as one'), [{ one: 1 }]);
});

test('a database without its password file is not touched', async (t) => {
  const dataDir = await dataFolder(t);
  const { running } = await postgres(t, dataDir);
  await running.stop();
  await rm(`${dataDir}.json`);

  await t.throwsAsync(postgres(t, dataDir), { message: /delete that folder to start with an empty database/ });
  t.true((await stat(join(dataDir, 'PG_VERSION'))).isFile());
});

/** Line 1 of `postmaster.pid` is the pid, line 8 the state. */
async function untilReady({
  dataDir,
  isServer,
}: {
  dataDir: string;
  isServer: (pid: number) => boolean;
}): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  for (;;) {
    const lines = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (isServer(Number(lines[0])) && lines[7]?.trim() === 'ready') return;
    await setTimeout(20, undefined, { signal });
  }
}
