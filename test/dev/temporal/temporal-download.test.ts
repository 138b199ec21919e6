import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { buildTemporal } from '../../../dev/temporal/temporal-build.ts';
import { downloadTemporal } from '../../../dev/temporal/temporal-download.ts';
import {
  TEMPORAL_MODULE,
  TEMPORAL_MODULE_SUM,
  TEMPORAL_VERSION,
  temporalArchive,
} from '../../../dev/temporal/temporal-release.ts';

const rest = { onProgress: () => undefined, signal: new AbortController().signal };

function aFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'temporal-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function anArchive(t: ExecutionContext): Buffer {
  const folder = aFolder(t);
  for (const name of ['temporal', 'LICENSE']) writeFileSync(join(folder, name), `#!/bin/sh\necho ${name}\n`);
  execFileSync('tar', ['-czf', 'archive.tar.gz', 'LICENSE', 'temporal'], { cwd: folder });
  return readFileSync(join(folder, 'archive.tar.gz'));
}

async function served(t: ExecutionContext, bytes: Buffer): Promise<string> {
  const server = createServer((_request, response) => response.end(bytes)).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive.tar.gz`;
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('a downloaded archive with the known digest is unpacked', async (t) => {
  const bytes = anArchive(t);
  const target = join(aFolder(t), 'cache', 'temporal');
  const archive = { url: await served(t, bytes), sha256: digestOf(bytes) };
  t.is(await downloadTemporal({ archive, target, ...rest }), target);
  t.is(execFileSync(target, { encoding: 'utf8' }), 'temporal\n');
  t.deepEqual(readdirSync(join(target, '..')), ['temporal']);
});

test('a downloaded archive with a changed byte is rejected', async (t) => {
  const bytes = anArchive(t);
  const target = join(aFolder(t), 'cache', 'temporal');
  const changed = Buffer.from(bytes);
  changed[changed.length - 1]! ^= 1;
  const archive = { url: await served(t, changed), sha256: digestOf(bytes) };
  await t.throwsAsync(downloadTemporal({ archive, target, ...rest }), { message: /has the SHA-256 .* instead of/ });
  t.false(existsSync(target));
});

test('a system without a known archive downloads nothing', async (t) => {
  t.is(temporalArchive('aix', 'ppc64'), undefined);
  const target = join(aFolder(t), 'temporal');
  await t.throwsAsync(downloadTemporal({ archive: undefined, target, ...rest }), { message: /no archive exists/ });
});

test('each known archive has its own digest', (t) => {
  const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
  const archives = systems.map((system) => temporalArchive(...(system.split('-') as [string, string]))!);
  t.true(archives.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
  t.is(new Set(archives.flatMap(({ url, sha256 }) => [url, sha256])).size, 8);
});

/** The `go` on PATH installs a program and reports this hash of its module. */
function goThatSays(t: ExecutionContext, sum: string): void {
  const folder = aFolder(t);
  const said = `\\tmod\\t${TEMPORAL_MODULE}\\tv${TEMPORAL_VERSION}\\t${sum}\\n`;
  const script = `#!/bin/sh\nif [ "$1" = install ]; then echo "$GOSUMDB$GONOSUMDB" > "$GOBIN/temporal"; else printf '${said}'; fi\n`;
  writeFileSync(join(folder, 'go'), script);
  chmodSync(join(folder, 'go'), 0o755);
  const { PATH, GOSUMDB, GONOSUMDB } = process.env;
  Object.assign(process.env, { PATH: `${folder}${delimiter}${PATH}`, GOSUMDB: 'off', GONOSUMDB: '*' });
  t.teardown(() => void Object.assign(process.env, { PATH, GOSUMDB: GOSUMDB ?? '', GONOSUMDB: GONOSUMDB ?? '' }));
}

test.serial('a build from the known sources uses the checksum database', async (t) => {
  goThatSays(t, TEMPORAL_MODULE_SUM);
  const target = join(aFolder(t), 'cache', 'temporal');
  await buildTemporal({ version: TEMPORAL_VERSION, target, ...rest });
  t.is(readFileSync(target, 'utf8'), 'sum.golang.org\n');
});

test.serial('a build from other sources is rejected', async (t) => {
  goThatSays(t, TEMPORAL_MODULE_SUM.replace('0RZ', '1RZ'));
  const target = join(aFolder(t), 'cache', 'temporal');
  const build = buildTemporal({ version: TEMPORAL_VERSION, target, ...rest });
  await t.throwsAsync(build, { message: /built from .* instead of/ });
  t.false(existsSync(target));
});
