import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { privateFolder } from '../../../dev/settings/private-folder.ts';
import { startProcess } from '../../../dev/processes/processes.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('a folder and files that were readable are closed', async (t) => {
  const parent = await temporaryFolder(t);
  const folder = join(parent, 'data');
  await privateFolder(folder);
  t.is((await modeOf(folder)) & ~0o711, 0);

  await chmod(folder, 0o755);
  await mkdir(join(folder, 'postgres'), { mode: 0o700 });
  for (const name of ['temporal-1.db', 'temporal-1.db-wal']) {
    await writeFile(join(folder, name), '');
    await chmod(join(folder, name), 0o644);
  }
  await privateFolder(folder);
  t.is(await modeOf(folder), 0o711);
  for (const name of ['temporal-1.db', 'temporal-1.db-wal']) t.is(await modeOf(join(folder, name)), 0o600, name);
  t.is(await modeOf(join(folder, 'postgres')), 0o700);
});

test('a file that a started process creates is private', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'temporal.db');
  const umask = process.umask();
  const running = await startProcess(
    {
      name: 'writer',
      command: '/bin/sh',
      args: ['-c', 'echo x > "$0"; echo done; exec sleep 600', path],
      env: {},
      stopDeadlineMs: 10_000,
      startDeadlineMs: 60_000,
      isReady: ({ tail }) => tail.includes('done'),
    },
    { onLine: () => undefined, onPid: () => undefined, onNotice: () => undefined },
  );
  t.teardown(() => running.stop());
  t.is(await modeOf(path), 0o600);
  t.is(process.umask(), umask);
});
