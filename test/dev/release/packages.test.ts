import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import anyTest, { type TestFn } from 'ava';
import { version } from '../../../contract/version.ts';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { testApi } from '../../harness/api/api.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';
import { type End, installPackages, run, runs } from './installed-packages.ts';

const test = anyTest as TestFn<{ folder: string }>;

test.before(async (t) => {
  t.timeout(300_000);
  t.context.folder = await installPackages();
});
test.after.always(({ context }) => context.folder && rm(context.folder, { recursive: true, force: true }));

function channels(folder: string, args: readonly string[], env: Record<string, string> = {}): Promise<End> {
  const home = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder, npm_config_loglevel: 'error' };
  return run('npx', ['--no', '--', 'channels', ...args], { cwd: folder, env: { ...home, ...env } });
}

test('the installed packages have no dependencies', async (t) => {
  const { folder } = t.context;
  t.deepEqual(
    (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['@messaging-channels'],
  );
  t.deepEqual((await readdir(join(folder, 'node_modules/@messaging-channels'))).sort(), ['cli', 'client']);
  for (const name of ['cli', 'client']) {
    const installed = join(folder, 'node_modules/@messaging-channels', name);
    t.is(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')).version, version);
    t.regex(await readFile(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8'), /^openapi-fetch .+ \(MIT\)$/m);
    t.regex(await readFile(join(installed, 'README.md'), 'utf8'), /^# /);
  }
});

test('the installed command prints its version and help', async (t) => {
  const { folder } = t.context;
  const printed = await channels(folder, ['--version']);
  t.is(printed.stdout, `${version}\n`, printed.stderr);
  const help = await channels(folder, ['--help']);
  t.is(help.code, 0);
  t.regex(help.stdout, /^Usage: channels [^]*deliveries/);
  t.is((await channels(folder, ['nonsense'])).code, 2);
});

test('the installed command calls a running API', async (t) => {
  const { db, url } = await testApi(t);
  const tenant = await aTenant(db);
  const { publicId } = await aChannel(db, tenant.workspace);
  const env = { BASE_URL: url, SERVICE_API_KEY: tenant.apiKey };
  const { code, stdout, stderr } = await channels(t.context.folder, ['list', '--json'], env);
  t.is(code, 0, stderr);
  t.deepEqual(JSON.parse(stdout).channels.map(({ id }: { id: string }) => id), [publicId]); // prettier-ignore
  const selected = await channels(t.context.folder, ['list', '--jq', '.channels[].id'], env);
  t.is(selected.stdout, `${publicId}\n`, selected.stderr);
  const completed = await channels(t.context.folder, ['__complete', 'channel'], env);
  t.true(completed.stdout.startsWith(`${publicId}\t`), completed.stderr);
  const refused = await channels(t.context.folder, ['list', '--json'], { ...env, SERVICE_API_KEY: 'wrong' });
  t.is(JSON.parse(refused.stderr).error.code, 'AUTH_REQUIRED');
});

const consumer = `
import { ApiError, createClient, type ErrorCode, everyRecord, type Schema } from '@messaging-channels/client';

const [, , baseUrl = '', credential = '', workspaceId = ''] = process.argv;
const client = createClient({ baseUrl, credential, workspaceId });
const list: Schema<'Channel'>[] = await everyRecord(
  (cursor) => client.get('/platform/channels', { params: { query: { limit: 1, ...(cursor && { cursor }) } } }),
  ({ channels }) => channels,
);
const refusal = await client.get('/platform/channels/{ch}', { params: { path: { ch: 'ch_00000000' } } }).then(
  () => undefined,
  (error: unknown) => (error instanceof ApiError ? error.code : undefined),
);
const code: ErrorCode | 'UNKNOWN' | undefined = refusal;
// @ts-expect-error -- there is no such path
client.get('/nonsense').catch(() => undefined);
// @ts-expect-error -- a channel id is a string
const wrong: number = list[0]!.id;
console.log(JSON.stringify({ ids: list.map(({ id }) => id), code, wrong: typeof wrong }));
`;

async function exampleOf(guide: string): Promise<string> {
  const example = /```ts\n([^]+?)```/.exec(await readFile(join(projectRoot, guide), 'utf8'))?.[1];
  if (!example) throw new Error(`${guide} has no example in TypeScript`);
  return example;
}

test('a TypeScript program uses the installed client', async (t) => {
  const { folder } = t.context;
  const { db, url } = await testApi(t);
  const tenant = await aTenant(db);
  const ids = [await aChannel(db, tenant.workspace), await aChannel(db, tenant.workspace)].map((one) => one.publicId);
  const compilerOptions = { target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', strict: true, outDir: 'out' };
  const nodeTypes = { types: ['node'], typeRoots: [join(projectRoot, 'node_modules/@types')] };
  const guides = ['dev/packages/client/README.md', 'docs/clients.md'];
  const examples = await Promise.all(guides.map(exampleOf));
  const files = Object.entries({ 'consumer.ts': consumer, 'readme.ts': examples[0], 'guide.ts': examples[1] });
  for (const [name, text] of files) await writeFile(join(folder, name), text ?? '');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...nodeTypes }, files: files.map(([name]) => name) }),
  );
  await runs(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], { cwd: folder });
  const printed = JSON.parse(
    await runs(process.execPath, ['out/consumer.js', url, tenant.apiKey, tenant.workspace.publicId], { cwd: folder }),
  );
  t.deepEqual(printed.ids.sort(), ids.sort());
  t.is(printed.code, 'CHANNEL_NOT_FOUND');
  t.is(printed.wrong, 'string');
});

const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) === 20 && Number(minor) >= 10;
});

(oldNode ? test : test.skip)('the installed packages run on Node 20', async (t) => {
  const { folder } = t.context;
  const bin = 'node_modules/@messaging-channels/cli/dist/channels.js';
  t.is(await runs(oldNode!, [bin, '--version'], { cwd: folder }), `${version}\n`);
  const code = "import { createClient } from '@messaging-channels/client'; console.log(typeof createClient({ baseUrl: '' }).get)"; // prettier-ignore
  t.is(await runs(oldNode!, ['--input-type=module', '--eval', code], { cwd: folder }), 'function\n');
});
