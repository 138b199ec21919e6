import { createHmac } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { Command } from 'commander';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { envLine, mergeEnvLines } from '../../cli/channels/env-lines.ts';
import { indentJson } from '../../cli/terminal/indent-json.ts';
import { createProgram } from '../../cli/program.ts';
import { safeBlock, safeJson, safeLine } from '../../contract/text/safe-text.ts';
import { tableLines } from '../../cli/terminal/table.ts';
import { cutText, textWidth, wrapText } from '../../cli/terminal/text-width.ts';
import type { World } from '../../cli/terminal/world.ts';
import { testCli } from './cli-run.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = '{"a":1}';
const nowMs = 1_760_000_000_000;

function signed(atSeconds = nowMs / 1000): string[] {
  const own = createHmac('sha256', secret).update(body).digest('hex');
  const standard = new Webhook(secret).sign('wd_00000001', new Date(atSeconds * 1000), body);
  const headers = {
    'X-Service-Signature-256': `sha256=${'0'.repeat(64)},sha256=${own}`,
    'Webhook-Id': 'wd_00000001',
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': `v1,AAAA ${standard}`,
  };
  return Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
}

test('verify-signature verifies both signatures offline', async (t) => {
  const cli = await testCli(t, { WEBHOOK_HMAC_SECRET: secret });
  const now = () => nowMs;
  const fetch = () => Promise.reject(new Error('offline'));
  const verify = (args: string[], stdin: string, at = now) =>
    cli.run(['verify-signature', ...args, '--json'], { stdin, now: at, fetch });
  const good = await verify(signed(), body);
  t.is(good.code, 0, good.stderr);
  t.deepEqual(JSON.parse(good.stdout).signatures.map(({ isValid }: { isValid: boolean }) => isValid), [true, true]); // prettier-ignore
  const withBreak = await verify(signed(), `${body}\n`);
  t.is(withBreak.code, 1);
  t.regex(withBreak.stdout, /without the line break/);
  const late = await verify(signed(), body, () => nowMs + 301_000);
  t.is(late.code, 1);
  t.deepEqual(JSON.parse(late.stdout).signatures.map(({ isValid }: { isValid: boolean }) => isValid), [true, false]); // prettier-ignore
  t.is((await verify([...signed(), '--ignore-timestamp'], body, () => nowMs + 301_000)).code, 0);
  t.is((await verify([...signed(), '--tolerance', '400'], body, () => nowMs + 301_000)).code, 0);
  t.is((await verify(signed(), '{"a":2}')).code, 1);
  t.is((await verify([], body)).code, 2, 'a missing signature fails');
  const causesOf = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout).findings.map(({ cause }: { cause: string }) => cause);
  t.deepEqual(causesOf(good), []);
  t.deepEqual(causesOf(withBreak), ['secret_matches', 'body_end_changed']);
  t.deepEqual(causesOf(late), ['timestamp_old', 'secret_matches', 'body_matches']);
  t.deepEqual(causesOf(await verify(signed(), '{ "a": 1 }')), ['secret_matches', 'body_rewritten']);
  const decoded = createHmac('sha256', Buffer.alloc(32, 7)).update(body).digest('hex');
  const computed = await verify([...signed(), '--computed', decoded], body);
  t.is(computed.code, 1);
  t.deepEqual(causesOf(computed), ['secret_matches', 'body_matches', 'computed_wrong_key']);
});

test('verify-signature reads the secret from environment or standard input', async (t) => {
  const cli = await testCli(t);
  const folder = join(cli.configFolder, '..');
  const bodyFile = join(folder, 'body.json');
  const headersFile = join(folder, 'headers.txt');
  await mkdir(folder, { recursive: true });
  await writeFile(bodyFile, body);
  await writeFile(
    headersFile,
    `POST /hook HTTP/1.1\r\nwebhook-id: wd_1\r\nx-service-signature-256: sha256=${createHmac('sha256', secret).update(body).digest('hex')}\r\n`,
  );
  const args = ['verify-signature', '--body', bodyFile, '--headers', headersFile];
  t.regex(await cli.fails(2, args), /Missing secret/);
  t.is((await cli.run([...args, '--secret-stdin'], { stdin: `${secret}\n` })).code, 0);
  t.regex(await cli.fails(2, [...args, '--secret-stdin'], { stdin: 'not a secret\n' }), /whsec_/);
});

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

test('every command has help with valid examples', async (t) => {
  const cli = await testCli(t);
  const leaves = leavesOf(createProgram({} as World));
  t.true(leaves.length > 90);
  for (const leaf of leaves) {
    const names = [leaf.name()];
    for (let parent = leaf.parent; parent?.parent; parent = parent.parent) names.unshift(parent.name());
    const { code, stdout } = await cli.run([...names, '--help']);
    t.is(code, 0);
    t.regex(stdout, /Examples:\n {2}\$ /, names.join(' '));
    const examples = stdout.split('Examples:\n')[1]!;
    t.true(examples.includes(`channels ${names.join(' ')}`), names.join(' '));
    for (const option of examples.matchAll(/(?<=\s)--[a-z-]+/g))
      t.true(stdout.split('Examples:')[0]!.includes(option[0]), `${names.join(' ')}: ${option[0]}`);
  }
});

test('an invalid command line exits with 2 and a suggestion', async (t) => {
  const cli = await testCli(t);
  t.regex(await cli.fails(2, 'delivries list'), /Did you mean deliveries/);
  t.regex(await cli.fails(2, 'deliveries list --limit many'), /whole number/);
  t.regex(
    await cli.fails(2, 'deliveries list --since yesterday', { env: { SERVICE_API_KEY: 'k' } }),
    /Invalid time 'yesterday'\.\n +Use 30m, 2h, 7d/,
  );
  t.regex(await cli.fails(2, 'list --base-url nonsense'), /Invalid base URL 'nonsense'/);
  const json = JSON.parse(await cli.fails(2, 'delivries --json'));
  t.is(json.error.exitCode, 2);
  t.regex(
    await cli.fails(5, 'whoami --base-url http://127.0.0.1:1', { env: { SERVICE_API_KEY: 'k' } }),
    /No response from http:\/\/127\.0\.0\.1:1 \(.+\)/,
  );
  t.is((await cli.run('--version')).code, 0);
});

test('an invalid profiles file is reported and not overwritten', async (t) => {
  const cli = await testCli(t);
  await mkdir(cli.configFolder, { recursive: true });
  await writeFile(join(cli.configFolder, 'config.json'), '{"current":');
  t.regex(await cli.fails(1, 'whoami'), /Cannot read \S+config\.json/);
  t.regex(await cli.fails(1, 'profiles set --workspace ws_00000000'), /Cannot read/);
});

test('escaped text contains no control characters, and JSON stays equal', (t) => {
  const acts = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      t.false(acts.test(safeLine(text)));
      t.false(safeLine(text).includes('\n'));
      t.false(acts.test(safeBlock(text)));
      const json = safeJson({ text }, 2);
      t.false(acts.test(json));
      t.is(JSON.parse(json).text, text);
    }),
  );
});

test('a table fits any sufficient width; wide characters take two columns', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { minLength: 3, maxLength: 3 }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.integer({ min: 50, max: 200 }),
      (rows, width) => {
        const lines = tableLines(rows.map((cells) => cells.map((text) => ({ text: safeLine(text) }))), width); // prettier-ignore
        t.true(lines.every((line) => textWidth(line) <= width));
      },
    ),
  );
  t.is(textWidth('漢字'), 4);
  t.is(cutText('漢字漢字', 5), '漢字…');
  t.deepEqual(wrapText('abcdef\ng', 4), ['abcd', 'ef', 'g']);
});

test('indenting JSON keeps its tokens', (t) => {
  t.is(
    indentJson('{"a":[1e400,{}],"a":12345678901234567890,"s":"x,{}\\""}'),
    '{\n  "a": [\n    1e400,\n    {}\n  ],\n  "a": 12345678901234567890,\n  "s": "x,{}\\""\n}',
  );
  t.is(indentJson('no {json'), 'no {json');
  fc.assert(
    fc.property(
      fc.jsonValue(),
      (value) => void t.deepEqual(JSON.parse(indentJson(JSON.stringify(value))), JSON.parse(JSON.stringify(value))),
    ),
  );
});

test('merging values into an env file keeps other lines', (t) => {
  t.is(mergeEnvLines('# mine\nexport A=1\nB=2', { A: "it's", C: 'x' }), `# mine\nexport A='it'\\''s'\nB=2\nC=x\n`);
  t.is(mergeEnvLines('', { A: '$HOME' }), `A='$HOME'\n`);
  t.is(envLine('A', 'whsec_ab+/='), 'A=whsec_ab+/=');
});
