import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../checks/source-files.ts';
import { textOf } from './run-command.ts';

export interface Release {
  readonly version: string;
  readonly commit: string;
  /** Used instead of the time of the build, so that the same commit gives the same files. */
  readonly committedAt: Date;
}

/** Returns the release that the work tree contains. Refuses files that no commit has, and a version without a changelog entry. */
export async function readRelease(): Promise<Release> {
  const changes = await textOf('git', ['status', '--porcelain', '--untracked-files=all']);
  if (changes !== '')
    throw new Error(`The work tree differs from its commit. Commit or remove these files first:\n${changes}`);
  const { version } = JSON.parse(await readText('package.json')) as { version: string };
  const problem = changelogProblem(await readText('CHANGELOG.md'), version);
  if (problem) throw new Error(problem);
  const [commit = '', seconds = ''] = (await textOf('git', ['log', '-1', '--format=%H %ct'])).split(' ');
  return { version, commit, committedAt: new Date(Number(seconds) * 1000) };
}

const readText = (path: string): Promise<string> => readFile(join(projectRoot, path), 'utf8');

/** Returns undefined if the changelog has a dated section with an entry for the version. */
export function changelogProblem(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  if (!section)
    return `CHANGELOG.md has no section for ${version}. Add "## [${version}] - YYYY-MM-DD" with its changes.`;
  const [heading = '', ...lines] = section.split('\n');
  if (!/\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    return `The section of ${version} in CHANGELOG.md has no date. Write "## [${version}] - YYYY-MM-DD".`;
  if (!lines.some((line) => line.startsWith('- ')))
    return `The section of ${version} in CHANGELOG.md is empty. List its changes.`;
  return undefined;
}
