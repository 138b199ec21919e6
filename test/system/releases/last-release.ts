import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The sources of a version in a folder, which uses the packages of this tree. */
export interface Version {
  readonly name: string;
  readonly root: string;
}

export interface CopiedVersion extends Version {
  remove(): Promise<void>;
}

export const tree = join(import.meta.dirname, '../../..');

/** What the image copies, and the recorded histories. A test compares it with the Dockerfile. */
export const copiedPaths: readonly string[] = [
  ...['package.json', 'activities', 'admin', 'api', 'contract', 'db', 'egress', 'gateway', 'metrics', 'openapi'],
  ...['platform', 'process', 'worker', 'workflow-starts', 'workflows', 'test/workflows/histories'],
];

const run = promisify(execFile);
const MAX_TAR_BYTES = 256 * 1024 ** 2;

/**
 * Returns the release before this tree by its tag. Returns undefined in a checkout without tags, and before the first
 * release.
 */
export async function lastRelease(): Promise<CopiedVersion | undefined> {
  const tag = await lastTag().catch(() => undefined);
  if (tag === undefined) return undefined;
  return await newFolder(tag, async (root) => {
    const tar = join(root, 'source.tar');
    await git('archive', '--format=tar', `--output=${tar}`, tag, '--', ...copiedPaths);
    await run('tar', ['-xf', tar, '-C', root]);
    await rm(tar);
  });
}

/** Release 1.0.0 is the first one with which compatibility is promised. */
async function lastTag(): Promise<string | undefined> {
  const { version } = JSON.parse(await readFile(join(tree, 'package.json'), 'utf8'));
  const tags = await git('tag', '--list', 'v[1-9]*', '--merged', 'HEAD', '--sort=-version:refname');
  return tags.split('\n').find((tag) => tag !== '' && tag !== `v${version}`);
}

async function git(...parameters: string[]): Promise<string> {
  return (await run('git', parameters, { cwd: tree, maxBuffer: MAX_TAR_BYTES })).stdout;
}

/** Copies this tree as the next version: it has a further migration and another build of its workflows. */
export async function copyAsNext(): Promise<CopiedVersion> {
  return await newFolder('next version', async (root) => {
    for (const path of copiedPaths) await cp(join(tree, path), join(root, path), { recursive: true });
    const edit = async (path: string, change: (text: string) => string): Promise<void> => {
      const text = await readFile(join(root, path), 'utf8');
      const changed = change(text);
      if (changed === text) throw new Error(`${path} has not the text that the next version changes`);
      await writeFile(join(root, path), changed);
    };
    await edit('workflows/index.ts', (text) => `${text}// The next version.\n`);
    const migration = `'9999-next': { up: async (knex) => void (await knex.raw('alter table deliveries add next text')) },`;
    await edit('db/migrate.ts', (text) => text.replace(/'0001-release-1\.0': release1,/, `$& ${migration}`));
  });
}

async function newFolder(name: string, fill: (root: string) => Promise<void>): Promise<CopiedVersion> {
  const root = await mkdtemp(join(tmpdir(), 'messaging-channels-version-'));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await fill(root);
    await symlink(join(tree, 'node_modules'), join(root, 'node_modules'), 'dir');
  } catch (error) {
    await remove();
    throw error;
  }
  return { name, root, remove };
}
