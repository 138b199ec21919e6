import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

const root = join(import.meta.dirname, '..');
const sourceFolders = ['workflows', 'contract'];

/**
 * The bundle of the workflows' code, made once for these sources and this SDK and kept in the temporary folder: a
 * worker that comes back after a crash must not spend its first seconds bundling.
 */
export async function workflowBundle(): Promise<{ code: string }> {
  const folder = join(tmpdir(), `messaging-channels-bundles-${process.getuid?.() ?? 'user'}`);
  const path = join(folder, `${sourcesDigest()}.js`);
  if (existsSync(path)) return { code: readFileSync(path, 'utf8') };

  const { code } = await bundleWorkflowCode({ workflowsPath: join(root, 'workflows/index.ts'), logger: quiet });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, code, { mode: 0o600 });
  renameSync(unfinished, path); // two workers that start together each write the same
  return { code };
}

function sourcesDigest(): string {
  const digest = createHash('sha256').update(sdkVersion());
  for (const folder of sourceFolders) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    for (const name of names.sort())
      digest.update(`\n${folder}/${name}\n`).update(readFileSync(join(root, folder, name)));
  }
  return digest.digest('hex');
}

function sdkVersion(): string {
  return createRequire(import.meta.url)('@temporalio/worker/package.json').version;
}

const noop = (): void => undefined;
/** The bundler's progress is of no use in the log; its errors are thrown. */
const quiet = { log: noop, trace: noop, debug: noop, info: noop, warn: noop, error: noop };
