import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { curlCommand, REDACTED, redactedVariables } from '../../../contract/deliveries/curl-command.ts';

test('a shell sends the exact payload and headers with placeholders filled', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'curl-command-'));
  // In the place of curl: writes its arguments and its input.
  writeFileSync(join(folder, 'curl'), '#!/bin/sh\nprintf "%s\\n" "$@" > "$OUT/arguments"; cat > "$OUT/body"\n', {
    mode: 0o755,
  });
  const payload = `{"text":"it's 100 % $HOME \\\\ \\"é\\""}\n\n`;
  const command = curlCommand({
    url: 'https://example.com/hook?a=1&b=$2',
    headers: { 'webhook-id': 'wd_12345678', 'x-api-key': REDACTED, 'x-`id`$a': REDACTED },
    payload,
  });
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    OUT: folder,
    HEADER_X_API_KEY: 's3cret',
    HEADER_X__ID__A: 't',
  };
  execFileSync('sh', ['-c', command], { env });
  t.is(readFileSync(join(folder, 'body'), 'utf8'), payload);
  const given = readFileSync(join(folder, 'arguments'), 'utf8').split('\n');
  t.true(given.includes('https://example.com/hook?a=1&b=$2'));
  t.true(given.includes('webhook-id: wd_12345678'));
  t.true(given.includes('x-api-key: s3cret'));
  t.true(given.includes('x-`id`$a: t'));
});

test('headers with similar names have variables of their own', (t) => {
  const headers = { 'x-a': REDACTED, x_a: REDACTED, 'x.a': REDACTED, 'x-a-2': REDACTED, 'x-b': 'shown' };
  const variables = redactedVariables(headers);
  t.deepEqual(variables, ['HEADER_X_A', 'HEADER_X_A_2', 'HEADER_X_A_3', 'HEADER_X_A_2_2']);
  const command = curlCommand({ url: 'https://example.com/', headers, payload: '{}' });
  const lines = ['x-a', 'x_a', 'x.a', 'x-a-2'].map((name, index) => `-H '${name}: '"\${${variables[index]!}:?}"`);
  for (const line of lines) t.true(command.includes(line), line);
});
