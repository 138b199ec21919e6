import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { isChannelEnvName } from '../../../contract/channels/env-names.ts';
import { channelEnvSchema } from '../../../openapi/channels/token-schema.ts';
import { envLine, mergeEnvLines } from '../../../cli/channels/env-lines.ts';
import { testCli } from '../cli-run.ts';

const settings = { BASE_URL: 'http://service.test', SERVICE_API_KEY: 'k', SERVICE_WORKSPACE_ID: 'ws_00000000' };
const answering = (values: object) => ({ fetch: async () => Response.json({ values }) });
function inShell(script: string, names: readonly string[]): string[] {
  const printing = names.map((name) => `printf '%s\\0' "$${name}"`).join('\n');
  const { status, stdout, stderr } = spawnSync('sh', { input: `${script}\n${printing}\n`, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\0').slice(0, -1);
}

const awkward = ["it's", '"', '$(touch /tmp/never)', '`id`', '$HOME', '\\', "\\'", 'a b\t', ';id', '#', '~', '*', '-n', '', '\u202e\u009b\u001b[31m', '漢字', "'\n'"]; // prettier-ignore

test('a shell reads every value unchanged', (t) => {
  const some = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(fc.array(some, { minLength: 30, maxLength: 60 }), (random) => {
      const values = [...awkward, ...random];
      const names = values.map((_, index) => `V${index}`);
      const script = values.map((value, index) => `export ${envLine(`V${index}`, value)}`).join('\n');
      t.deepEqual(inShell(script, names), values);
    }),
    { numRuns: 5 },
  );
});

test('evaluating `env --export` sets the exact values', async (t) => {
  const cli = await testCli(t, settings);
  for (const value of awkward.slice(0, -1)) {
    const values = { CHATAPP_ACCESS_TOKEN: value, VERIFY_TOKEN: 'x' };
    const { code, stdout, stderr } = await cli.run('env ch_00000000 --export', answering(values));
    t.is(code, 0, stderr);
    const script = `eval '${stdout.replaceAll("'", String.raw`'\''`)}'`;
    t.deepEqual(inShell(script, Object.keys(values)), Object.values(values));
  }
});

const withNames = (names: readonly string[]) => names.map((name) => ({ VERIFY_TOKEN: 'x', [name]: 'x' }));
const unsafe = {
  'an invalid variable name': withNames(['A;touch /tmp/never;B', 'A=1\nid', '$(id)', 'a', '1A', '', 'A B', 'A\n']),
  'a name that controls other programs': withNames(['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'BASH_ENV', 'IFS', 'PROMPT_COMMAND', 'HTTPS_PROXY', 'GIT_SSH_COMMAND']), // prettier-ignore
  'an unknown variable name': withNames(['BASE_URL', 'SERVICE_API_KEY', 'OTHERAPP_ACCESS_TOKEN', 'verify_token', 'VERIFY_TOKEN_']), // prettier-ignore
  'a value with a line break or of another type': [{ VERIFY_TOKEN: 'x\ny' }, { VERIFY_TOKEN: 'x\0' }, { VERIFY_TOKEN: ['x'] }, { VERIFY_TOKEN: null }], // prettier-ignore
};

for (const [what, answers] of Object.entries(unsafe)) {
  test(`env does not write ${what}`, async (t) => {
    const cli = await testCli(t, settings);
    const file = join(cli.configFolder, '.env');
    await mkdir(cli.configFolder, { recursive: true });
    await writeFile(file, 'MINE=1\n');
    for (const answer of answers) {
      for (const form of ['--export', '--write', 'plain']) {
        const args = ['env', 'ch_00000000', ...(form === 'plain' ? [] : [form]), ...(form === '--write' ? [file] : [])];
        const { code, stdout, stderr } = await cli.run(args, answering(answer));
        t.is(code, 1, JSON.stringify(answer));
        t.is(stdout, '');
        t.regex(stderr, /Nothing was written/);
      }
    }
    t.is(await readFile(file, 'utf8'), 'MINE=1\n');
  });
}

test('the known names match the API schema', (t) => {
  const { values } = channelEnvSchema.shape;
  const names = new Set(values.options.flatMap(({ shape }) => Object.keys(shape)));
  t.is(names.size, 11);
  for (const name of names) t.true(isChannelEnvName(name), name);
});

test('merging keeps lines named like object properties', (t) => {
  const text = 'constructor=a\ntoString=b\n__proto__=c\n';
  t.is(mergeEnvLines(text, { A: '1' }), `${text}A=1\n`);
});
