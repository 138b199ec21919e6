import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot } from '../../dev/checks/source-files.ts';

function admin(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] };
  return spawnSync(process.execPath, [join(projectRoot, 'admin/main.ts'), ...args], { env, encoding: 'utf8' });
}

test('a command prints its usage for --help', (t) => {
  const { status, stdout } = admin('status', '--help');
  t.is(status, 0);
  t.regex(stdout, /^Usage: npm run admin -- status \[--json\]\n/);
  t.notRegex(stdout, /seed-demo/);
});

test('an unknown command lists the commands', (t) => {
  const { status, stderr } = admin('stat');
  t.is(status, 2);
  t.regex(stderr, /^Unknown command 'stat'\. Use one of: migrate, .*status/);
});

test('a missing database address comes with a hint', (t) => {
  const { status, stderr } = admin('status');
  t.is(status, 1);
  t.regex(stderr, /DATABASE_URL is not set\n.*demo\.env/);
});
