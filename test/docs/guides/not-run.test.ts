import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { commands } from '../../../admin/commands.ts';
import { createProgram } from '../../../cli/program.ts';
import type { World } from '../../../cli/terminal/world.ts';
import { projectRoot, sourceFiles } from '../../../dev/checks/source-files.ts';
import { commandsIn, unknownCommand } from '../command-lines.ts';
import { entryOf, notRun } from './not-run.ts';
import { type ShellBlock, shellBlocksOf } from '../shell-blocks.ts';

const pages = sourceFiles(/^(?:README|CONTRIBUTING)\.md$|^(?:docs|bench)\/[^/]*\.md$/);
const blocks = pages.flatMap((page) => shellBlocksOf(page));
const listed = blocks.filter((block) => entryOf(block) !== undefined);
const madeByReaders = ['deploy/.env', 'deploy/compose.digests.yaml'];
const at = ({ page, line }: ShellBlock): string => `${page}:${line}`;
const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

test('every entry of the list is for a block of a page', (t) => {
  const used = new Set(listed.map((block) => entryOf(block)));
  t.deepEqual(
    notRun.filter((entry) => !used.has(entry)),
    [],
  );
});

test('every page with blocks to run belongs to a test', (t) => {
  const isTested = (page: string): boolean => page === 'README.md' || /^docs\/[^/]+\.md$/.test(page);
  const left = blocks.filter((block) => entryOf(block) === undefined && !isTested(block.page));
  t.deepEqual(left.map(at), []);
});

test('blocks that are not run have the syntax of a shell', (t) => {
  // Synopses have placeholders in angle brackets.
  for (const block of listed.filter((one) => entryOf(one)?.reason !== 'synopsis')) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: block.code, encoding: 'utf8' });
    t.is(status, 0, `${at(block)}: ${stderr}`);
  }
});

test('blocks that are not run name commands and options that exist', (t) => {
  const program = createProgram({ stdout: {}, stderr: {}, env: {} } as World);
  const found = listed.flatMap((block) => commandsIn(block.code).map((words) => ({ block, words })));
  t.true(found.length > 80, `${found.length}`);
  const unknown = found.map(({ block, words }) => [at(block), unknownCommand(program, words)]);
  t.deepEqual(
    unknown.filter(([, problem]) => problem !== undefined),
    [],
  );
});

test('blocks that are not run name existing scripts and files', (t) => {
  for (const block of listed) {
    const { code } = block;
    for (const [, name = ''] of code.matchAll(/npm run ([\w:-]+)/g)) t.true(name in scripts, `${at(block)}: ${name}`);
    for (const [, name = ''] of code.matchAll(
      /(?:npm run admin --|admin\/main\.ts(?: \\\n)?|run --rm migrate admin) +([a-z][\w-]*)/g,
    ))
      t.true(name in commands, `${at(block)}: ${name}`);
    for (const [path] of code.matchAll(/(?<![\w./-])(?:deploy|docs|dev|test)\/[\w./-]*\w/g)) {
      if (madeByReaders.includes(path)) continue;
      t.true(existsSync(join(projectRoot, path)), `${at(block)}: ${path}`);
    }
  }
});
