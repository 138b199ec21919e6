import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { StopList } from '../../dev/processes/stop-list.ts';
import { createArchivedPostgres } from '../harness/backups/archived-postgres.ts';
import { until } from '../harness/until.ts';

test.beforeEach((t) => t.timeout(4 * 60_000));

async function stage(t: ExecutionContext, env: Record<string, string> = {}) {
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  const lines: string[] = [];
  const postgres = await createArchivedPostgres({ env, onLine: (line) => lines.push(line) }, stops);
  let running: { stop(): Promise<void> } | undefined;
  stops.add({ name: 'postgres', stop: async () => running?.stop() });
  const start = async (): Promise<void> => void (running = await postgres.start(() => undefined));
  const stop = async (): Promise<void> => void (await running?.stop());
  return { ...postgres, postgres, lines, start, stop };
}

async function query(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('PostgreSQL accepts the flags of Compose and archives its log', async (t) => {
  const { url, start, archivedSegments, lines } = await stage(t, { POSTGRES_MEMORY: '512MB' });
  await start();
  const rows = await query(
    url,
    `select name, current_setting(name) as value from pg_settings
     where name in ('shared_buffers', 'effective_cache_size', 'work_mem', 'maintenance_work_mem', 'archive_mode',
       'archive_timeout', 'wal_level', 'wal_compression', 'max_wal_size', 'jit')`,
  );
  t.deepEqual(Object.fromEntries(rows.map(({ name, value }) => [name, value])), {
    shared_buffers: '128MB',
    effective_cache_size: '384MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    archive_mode: 'on',
    archive_timeout: '1min',
    wal_level: 'replica',
    wal_compression: 'pglz',
    max_wal_size: '8GB',
    jit: 'off',
  });
  await query(url, 'create table t (n int)');
  const [{ name = '' } = {}] = await query(url, 'select pg_walfile_name(pg_switch_wal()) as name');
  await until(async () => (await archivedSegments()).includes(`${name}.gz`), {
    for: 'The archived segment',
    detail: () => lines,
  });
});

test('a segment is archived after the timeout even with few changes', async (t) => {
  const { url, start, run, postgres, archivedSegments } = await stage(t, { POSTGRES_ARCHIVE_TIMEOUT: '1s' });
  await start();
  await run('schedule-backups.sh', ['once']);
  t.is((await postgres.baseBackups()).length, 1);
  await run('schedule-backups.sh', ['once']);
  t.is((await postgres.baseBackups()).length, 1, 'not due');
  const before = await archivedSegments();
  await query(url, 'create table t (n int)');
  await until(async () => (await archivedSegments()).length > before.length, { for: 'The archived segment' });
});

test('the archive never replaces a segment by another one', async (t) => {
  const { backupsFolder, run } = await stage(t);
  await mkdir(join(backupsFolder, 'wal'));
  const first = join(backupsFolder, 'first');
  const other = join(backupsFolder, 'other');
  await writeFile(first, 'a segment');
  await writeFile(other, 'another');
  const archive = (path: string) => run('archive-wal.sh', [path, '000000010000000000000001']);
  await archive(first);
  await t.notThrowsAsync(archive(first), 'PostgreSQL repeats the command after a crash');
  await t.throwsAsync(archive(other), { message: /other contents/ });
  const copy = join(backupsFolder, 'copy');
  await run('restore-wal.sh', ['000000010000000000000001', copy]);
  t.is(await readFile(copy, 'utf8'), 'a segment');
  const missing = await t.throwsAsync(run('restore-wal.sh', ['000000010000000000000002', copy]));
  t.is((missing as unknown as { code: number }).code, 1);
  await writeFile(join(backupsFolder, 'wal/000000010000000000000003.gz'), 'not compressed');
  const damaged = await t.throwsAsync(run('restore-wal.sh', ['000000010000000000000003', copy]));
  t.is((damaged as unknown as { code: number }).code, 255, 'the recovery stops instead of ending early');
});

test('the log of an earlier timeline comes from replaced data', async (t) => {
  const { backupsFolder, dataFolder, run } = await stage(t);
  const name = '000000010000000000000004';
  for (const time of ['2026-01-01T00-00-00Z', '2026-01-02T00-00-00Z']) {
    const replaced = `${dataFolder}.replaced-${time}`;
    t.teardown(() => rm(replaced, { recursive: true }));
    await mkdir(join(replaced, 'pg_wal'), { recursive: true });
    await writeFile(join(replaced, 'pg_wal', name), time);
  }
  const copy = join(backupsFolder, 'copy');
  await run('restore-wal.sh', [name, copy]);
  t.is(await readFile(copy, 'utf8'), '2026-01-02T00-00-00Z', 'the newest one');
});

test('old base backups go, and the log that only they need', async (t) => {
  const { url, start, run, postgres, archivedSegments } = await stage(t, { BACKUP_KEEP: '1' });
  await start();
  await run('base-backup.sh');
  const [first] = await postgres.baseBackups();
  const before = await archivedSegments();
  await query(url, 'create table t as select generate_series(1, 10000) as n');
  await until(async () => new Date().toISOString().slice(0, 19).replaceAll(':', '-') + 'Z' > first!, {
    for: 'The next second, by which backups are named',
  });
  await run('base-backup.sh');
  const kept = await postgres.baseBackups();
  t.is(kept.length, 1);
  t.not(kept[0], first);
  const after = await archivedSegments();
  t.deepEqual(
    after.filter((name) => before.includes(name) && !name.includes('history')),
    [],
  );
  t.true(after.some((name) => /^[0-9A-F]{24}[.]gz$/.test(name)));
  await t.throwsAsync(run('base-backup.sh', [], { BACKUP_KEEP: '0' }), { message: /Invalid BACKUP_KEEP '0'/ });
});

test('the schedule is unhealthy without a recent base backup', async (t) => {
  const { backupsFolder, run } = await stage(t);
  const base = join(backupsFolder, 'base');
  await mkdir(base);
  const check = () => run('schedule-backups.sh', ['check']);
  await t.throwsAsync(check());
  const recent = join(base, '2026-01-31T12-00-00Z');
  await mkdir(recent);
  await t.notThrowsAsync(check());
  const old = new Date(Date.now() - 26 * 3_600_000);
  await utimes(recent, old, old);
  await t.throwsAsync(check());
  await t.throwsAsync(run('schedule-backups.sh', [], { BACKUP_EVERY_HOURS: 'daily' }), {
    message: /Invalid BACKUP_EVERY_HOURS 'daily'/,
  });
});

test('a restore replays to the moment and keeps the replaced data', async (t) => {
  const { url, start, stop, run, dataFolder, postgres } = await stage(t);
  await start();
  await query(url, 'create table t (n int)');
  await run('base-backup.sh');
  const [base] = await postgres.baseBackups();
  await query(url, 'insert into t values (1)');
  const [{ moment = '' } = {}] = await until(
    async () => {
      const rows = await query(url, 'select now()::text as moment');
      return rows[0]!['moment']!.slice(0, 19).replace(' ', 'T').replaceAll(':', '-') + 'Z' > base! && rows;
    },
    { for: 'A moment after the second of the base backup' },
  );
  await query(url, 'insert into t values (2)');
  await t.throwsAsync(run('restore.sh', [moment]), { message: /PostgreSQL is running/ });
  await stop();
  await t.throwsAsync(run('restore.sh', ['2020-01-01 00:00:00+00']), { message: /No base backup ended before 2020/ });
  await t.throwsAsync(run('restore.sh', ["it's noon"]), { message: /Usage: restore/ });
  t.regex(await run('restore.sh', [moment]), /to be replayed to/);
  await start();
  t.deepEqual(await query(url, 'select n from t'), [{ n: 1 }] as never);
  await stop();
  t.regex(await run('restore.sh', ['latest', '1']), /replayed to latest/);
  await start();
  t.deepEqual(await query(url, 'select n from t order by n'), [{ n: 1 }, { n: 2 }] as never);
  await stop();
  const replaced = (await readdir(join(dataFolder, '..'))).filter((name) => name.includes('.replaced-'));
  t.is(replaced.length, 2);
  for (const name of replaced) await rm(join(dataFolder, '..', name), { recursive: true });
});

test('an invalid size of the memory is refused with an example', async (t) => {
  const { run } = await stage(t);
  for (const wrong of ['', '1', '1G', 'GB', '128MB', '1.5GB', '9999999GB'].filter(Boolean)) {
    await t.throwsAsync(run('postgres.sh', [], { POSTGRES_MEMORY: wrong }), {
      message: /Invalid POSTGRES_MEMORY .*for example 1GB/s,
    });
  }
});
