import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './source-files.ts';

/**
 * Type-checks workflows/ and contract/ without the types of Node and the browser. Workflows import types of activities,
 * whose files need Node, so errors there are ignored. Such files can reintroduce Node's globals, which the linter
 * therefore bans by name.
 */
const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc');
const { stdout, stderr, error } = spawnSync(tsc, ['-p', 'workflows', '--noEmit', '--pretty', 'false'], {
  cwd: projectRoot,
  encoding: 'utf8',
});
if (error) throw error;

const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('error TS'));
// Configuration errors name no file.
const own = lines.filter((line) => /^(workflows|contract)\//.test(line) || !/^\S+\(\d+,\d+\)/.test(line));
for (const line of own) console.error(line);
process.exitCode = own.length === 0 ? 0 : 1;
