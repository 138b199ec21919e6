import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { listening } from '../harness/connections/listening.ts';

const bin = join(import.meta.dirname, '../../cli/channels.js');

async function ownEnv(t: ExecutionContext, env: Record<string, string> = {}): Promise<Record<string, string>> {
  const folder = await temporaryFolder(t);
  return { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder, ...env };
}

interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Record<string, string>): Promise<End> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

test('the process exits with the documented codes', async (t) => {
  const env = await ownEnv(t);
  t.is((await run(['--version'], env)).code, 0);
  t.is((await run(['nonsense'], env)).code, 2);
  t.is((await run(['whoami'], env)).code, 4);
  const away = await run(['whoami', '--base-url', 'http://127.0.0.1:1'], { ...env, SERVICE_API_KEY: 'k' });
  t.is(away.code, 5);
  t.is(away.stdout, '');
});

test('a closed pipe ends the process without an error', async (t) => {
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    id: `ch_${n}`,
    type: 'chatapp',
    displayName: 'x'.repeat(80),
    connected: true,
    credentialRefusedReason: null,
  }));
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ channels: rows, nextCursor: null }));
  });
  const { url } = await listening(t, server);
  const settings = { BASE_URL: url, SERVICE_API_KEY: 'k', SERVICE_WORKSPACE_ID: 'ws_00000000' };
  const child = spawn(process.execPath, [bin, 'list', '--all'], { env: await ownEnv(t, settings) });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'exit');
  t.is(code, 0);
  t.is(stderr, '');
});

test('ctrl-C ends a waiting command with code 130', async (t) => {
  const server = createServer(() => undefined);
  const { url } = await listening(t, server);
  const env = await ownEnv(t, { BASE_URL: url, SERVICE_API_KEY: 'k' });
  const child = spawn(process.execPath, [bin, 'whoami'], { env, stdio: 'pipe' });
  await once(server, 'request');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  t.is(code, 130);
});

const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? Number.NaN);
  return major >= 16 && major < 22;
});

(oldNode ? test : test.skip)('an old Node starts the bundled Node', async (t) => {
  const { status, stdout } = spawnSync(oldNode!, [bin, '--version'], { env: await ownEnv(t), encoding: 'utf8' });
  t.is(status, 0);
  t.regex(stdout, /^\d+\.\d+\.\d+\n$/);
});

(oldNode ? test : test.skip)('an old Node without a bundled one prints instructions', async (t) => {
  const env = await ownEnv(t);
  const folder = env['HOME']!;
  await mkdir(join(folder, 'bin'));
  await copyFile(bin, join(folder, 'bin', 'channels.js'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const { status, stderr } = spawnSync(oldNode!, [join(folder, 'bin', 'channels.js'), 'list'], {
    env,
    encoding: 'utf8',
  });
  t.is(status, 1);
  t.regex(stderr, /needs Node 22\.18 or later[^]*npm ci/);
});
