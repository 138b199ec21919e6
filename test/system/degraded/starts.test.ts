import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { emptyDatabase, testDatabase } from '../../harness/database/database.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const kinds = ['api', 'gateway', 'worker'] as const;
type Kind = (typeof kinds)[number];
type Env = Readonly<Record<string, string>>;

const valid: Env = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  PLATFORM_APP_SECRET: 'secret',
  PLATFORM_VERIFY_TOKEN: 'handshake',
  API_PORT: '0',
  GATEWAY_PORT: '0',
  WORKER_METRICS_PORT: '0',
};

for (const kind of kinds) {
  test(`the ${kind} names all invalid settings at once`, async (t) => {
    const said = await refusal(t, kind, { ...valid, LOG_LEVEL: 'loud', DATABASE_POOL_SIZE: 'x', ENCRYPTION_KEYS: '' });
    t.regex(said, /^Invalid settings:\n/);
    for (const name of ['LOG_LEVEL', 'DATABASE_POOL_SIZE', 'ENCRYPTION_KEYS'])
      t.regex(said, new RegExp(`^  ${name} `, 'm'));
  });

  test(`the ${kind} says that the database cannot be reached`, async (t) => {
    t.regex(
      await refusal(t, kind, valid),
      /"reason":"The database cannot be used \(.*ECONNREFUSED.*\). Check DATABASE_URL/,
    );
  });

  test(`the ${kind} says in one sentence that the database refuses it`, async (t) => {
    const { url } = await emptyDatabase(t);
    const unknown = Object.assign(new URL(url), { pathname: '/missing' }).href;
    const said = await refusal(t, kind, { ...valid, DATABASE_URL: unknown });
    t.regex(
      said,
      /"reason":"The database cannot be used \(database \\"missing\\" does not exist\). Check DATABASE_URL/,
    );
    t.notRegex(said, /stack|postgres:\/\//);
  });

  test(`the ${kind} asks for the migrations of an empty database`, async (t) => {
    const { url } = await emptyDatabase(t);
    t.regex(
      await refusal(t, kind, { ...valid, DATABASE_URL: url }),
      /"reason":"The database has no schema. Run `npm run admin/,
    );
  });
}

for (const kind of ['api', 'gateway'] as const) {
  test(`the ${kind} says in one sentence that its port is in use`, async (t) => {
    const { url } = await testDatabase(t);
    const other = createServer().listen(0, '127.0.0.1');
    t.teardown(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const setting = `${kind.toUpperCase()}_PORT`;
    const said = await refusal(t, kind, { ...valid, DATABASE_URL: url, [setting]: String(port) });
    t.true(
      said.includes(`"reason":"Port ${port} of 127.0.0.1 cannot be used: another program uses it. Check ${setting}."`),
    );
    t.notRegex(said, /stack/);
  });
}

test('the worker names a missing Temporal namespace', async (t) => {
  const { url } = await testDatabase(t);
  const env = {
    ...valid,
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    TEMPORAL_NAMESPACE: 'missing',
  };
  t.regex(await refusal(t, 'worker', env), /"reason":"Temporal has no namespace missing. Create it/);
});

test('processes run on a database that a later release has migrated', async (t) => {
  const { db, apis, api, lines } = await startSystem(t, { workers: 0 });
  const late = { name: '9999-of-a-later-release', batch: 1_000, migration_time: new Date() };
  await db('knex_migrations').insert(late);
  await apis[0]!.stop();
  await apis[0]!.start();

  await until(async () => (await api.call('GET /readyz')).status === 200, { for: 'The API to be ready' });
  t.true(lines.some((line) => line.includes('"schema.laterReleased"') && line.includes(late.name)));
});

/** Returns what a process that can't start says. */
async function refusal(t: ExecutionContext, kind: Kind, env: Env): Promise<string> {
  const child = spawn(process.execPath, [join(projectRoot, kind, 'main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const said = err + out;
  t.is(code, 1, said);
  t.false(said.includes('main.ts:'), 'no stack trace');
  return said;
}
