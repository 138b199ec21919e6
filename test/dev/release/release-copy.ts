import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { version } from '../../../contract/version.ts';
import { sourceCopy } from '../source-copy.ts';
import { type End, run, runs } from './installed-packages.ts';

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
const COMMITTED_AT = '2026-11-23T12:00:00Z';

export interface ReleaseCopy {
  readonly folder: string;
  release(...args: string[]): Promise<End>;
  read(name: string): Promise<Buffer>;
}

/** Copies the work tree, commits it with a changelog entry and lends it the installed packages. */
export async function releaseCopy(t: ExecutionContext<unknown>): Promise<ReleaseCopy> {
  const folder = await sourceCopy(t);
  const changelog = await readFile(join(folder, 'CHANGELOG.md'), 'utf8');
  await writeFile(
    join(folder, 'CHANGELOG.md'),
    changelog.replace(/^## \[/m, `## [${version}] - 2026-11-23\n\n- An entry.\n\n$&`),
  );
  const env = { ...process.env, GIT_AUTHOR_DATE: COMMITTED_AT, GIT_COMMITTER_DATE: COMMITTED_AT };
  const git = (...args: string[]): Promise<string> => runs('git', [...author, ...args], { cwd: folder, env });
  await git('init', '--quiet');
  // The rule in .gitignore is for a folder, and this is a link.
  await appendFile(join(folder, '.git/info/exclude'), 'node_modules\n');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'A release');
  return {
    folder,
    release: (...args) => run(process.execPath, ['dev/release/release.ts', ...args], { cwd: folder }),
    read: (name) => readFile(join(folder, 'dist', name)),
  };
}
