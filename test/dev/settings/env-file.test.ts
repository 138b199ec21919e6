import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { envFileText, readEnvFile, writeEnvFile } from '../../../dev/settings/env-file.ts';
import { localSecrets } from '../../../dev/settings/secrets.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const awkward = {
  PLAIN: 'http://127.0.0.1:3000',
  BASE64: 'k1:abc+/=',
  EMPTY: '',
  WORDS: 'two words # no comment',
  DOLLAR: '$HOME `id` "quoted" \\n',
};

test('a shell, Node and the service read an environment file alike', async (t) => {
  const path = join(await temporaryFolder(t), 'demo.env');
  await writeEnvFile(path, awkward);

  const print = `process.stdout.write(JSON.stringify(${JSON.stringify(Object.keys(awkward))}.map((name) => process.env[name])))`;
  const env = { PATH: process.env['PATH'] };
  const byNode = execFileSync(process.execPath, [`--env-file=${path}`, '-e', print], { env, encoding: 'utf8' });
  const script = 'set -a; . "$1"; exec "$2" -e "$3"';
  const byShell = execFileSync('/bin/sh', ['-c', script, 'sh', path, process.execPath, print], {
    env,
    encoding: 'utf8',
  });

  t.deepEqual(JSON.parse(byNode), Object.values(awkward));
  t.deepEqual(JSON.parse(byShell), Object.values(awkward));
  t.deepEqual(await readEnvFile(path), awkward);
});

test('only its owner can read an environment file', async (t) => {
  const path = join(await temporaryFolder(t), 'demo.env');
  await writeEnvFile(path, { A: 'b' });

  t.is((await stat(path)).mode & 0o777, 0o600);
});

test('a value without a common syntax is rejected', (t) => {
  t.throws(() => envFileText({ A: "it's" }));
  t.throws(() => envFileText({ A: 'two\nlines' }));
});

test('secrets are generated once', async (t) => {
  const path = join(await temporaryFolder(t), 'secrets.env');
  const first = await localSecrets(path);

  t.regex(first.ENCRYPTION_KEYS, /^k1:[A-Za-z0-9+/]{43}=$/);
  t.deepEqual(await localSecrets(path), first);
});

test('only missing secrets are generated', async (t) => {
  const path = join(await temporaryFolder(t), 'secrets.env');
  const { PLATFORM_APP_SECRET, ENCRYPTION_KEYS } = await localSecrets(path);
  await writeEnvFile(path, { ENCRYPTION_KEYS, PLATFORM_APP_SECRET, EXTRA: 'mine' });

  const second = await localSecrets(path);

  t.is(second.ENCRYPTION_KEYS, ENCRYPTION_KEYS);
  t.truthy(second.PLATFORM_VERIFY_TOKEN);
  t.is((await readEnvFile(path))?.['EXTRA'], 'mine');
});
