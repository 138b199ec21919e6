import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { cliStage } from '../cli/api-stage.ts';
import { commandsOf } from './markdown.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const guide = readFileSync(join(projectRoot, 'docs/privacy.md'), 'utf8');

test('the commands of the privacy guide run', async (t) => {
  const { cli, ws, db } = await cliStage(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'person.jsonl');
  const commands = commandsOf(guide);
  t.is(commands.length, 5);
  let erasureId = '';
  for (const command of commands) {
    const given = command.map(
      (word) => ({ 'person.jsonl': file, ws_8kLm3Qz1: ws, ers_5tRk2Wq8: erasureId })[word] ?? word,
    );
    const isDeletion = given[0] === 'workspaces';
    // The last workspace of an organization cannot be deleted.
    if (isDeletion) given[2] = (await cli.json('workspaces create Other')).id;
    const isConfirmed = isDeletion || (given.includes('erasures') && given.includes('create'));
    const { code, stdout, stderr } = await cli.run([...given, '--json', ...(isConfirmed ? ['--yes'] : [])]);
    t.is(code, 0, `${given.join(' ')}: ${stderr}`);
    if (given[0] === 'erasures') erasureId = JSON.parse(stdout).erasureId ?? erasureId;
  }
  t.regex(await readFile(file, 'utf8'), /"type":"end"/);
  t.is((await db('erasures')).length, 2);
});
