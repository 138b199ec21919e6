import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { completeIds } from '../../cli/commands/completion/complete-ids.ts';
import type { World } from '../../cli/terminal/world.ts';
import { aDestination } from '../harness/deliveries/ledger.ts';
import { cliStage, type CliStage } from './api-stage.ts';
import { testCli } from './cli-run.ts';

/** A busy machine must not fail the test. */
const PATIENT_MS = 300_000;

interface Completed {
  readonly text: string;
  readonly requestCount: number;
}

function completer({ cli, url, apiKey }: CliStage, changes: Partial<World> = {}) {
  return async (words: readonly string[]): Promise<Completed> => {
    let text = '';
    let requestCount = 0;
    const writer = { write: (one: string | Uint8Array) => void (text += String(one)) };
    const world: World = {
      env: { BASE_URL: url, SERVICE_API_KEY: apiKey },
      stdout: writer,
      stderr: writer,
      stdin: process.stdin,
      configFolder: cli.configFolder,
      fetch: (request) => {
        requestCount++;
        return fetch(request);
      },
      now: () => Date.now(),
      signal: new AbortController().signal,
      ...changes,
    };
    await completeIds(world, words, PATIENT_MS);
    return { text, requestCount };
  };
}

test('IDs are completed with labels, and kept for the next key', async (t) => {
  const stage = await cliStage(t);
  const { ch, db, channel, ws, cli } = stage;
  const atMs = Date.now();
  const complete = completer(stage, { now: () => atMs });
  const first = await complete(['channel', 'show']);
  t.regex(first.text, new RegExp(`^${ch}\tchatapp .+\n$`));
  t.true(first.requestCount > 0);
  t.deepEqual(await complete(['channel', 'show']), { text: first.text, requestCount: 0 });
  t.regex((await complete(['workspace'])).text, new RegExp(`^${ws}\t`));
  const destination_id = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id });
  t.regex((await complete(['subscription', 'subscriptions', 'show', ch])).text, /^sub_00000001\t/);
  t.is((await complete(['subscription', 'subscriptions', 'show'])).text, '');
  const later = await completer(stage, { now: () => atMs + 60_000 })(['channel']);
  t.true(later.requestCount > 0);

  const file = join(cli.configFolder, 'completion.json');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.false((await readFile(file, 'utf8')).includes(stage.apiKey));
});

test('completion prints nothing when the service does not answer', async (t) => {
  const stage = await cliStage(t);
  const refused = completer(stage, { fetch: () => Promise.reject(new Error('down')) });
  t.is((await refused(['channel'])).text, '');
  const silent = completer(stage, { signal: AbortSignal.abort() });
  t.is((await silent(['channel'])).text, '');
  t.is((await refused(['nonsense'])).text, '');
  t.is((await refused([])).text, '');
});

const hasBash = spawnSync('bash', ['--version']).status === 0;

(hasBash ? test : test.skip)('bash completes commands, IDs, choices and values of options', async (t) => {
  const cli = await testCli(t);
  const { stdout: script } = await cli.run('completion bash');
  t.is(spawnSync('bash', ['-n'], { input: script }).status, 0);
  const completed = (...words: string[]) => {
    const line = `channels() { echo "id_$2	label"; echo "$*" >&2; }
${script.replace('2>/dev/null', '2>>/dev/null')}
COMP_WORDS=(channels ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}; _channels; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['--norc'], { input: line, encoding: 'utf8' }).stdout.trim().split(' ');
  };
  t.deepEqual(completed('deliv'), ['deliveries']);
  t.deepEqual(completed('deliveries', 'f'), ['follow']);
  t.deepEqual(completed('--json', 'containers', 'create', 'ch_1', '--auto'), ['--auto-publish']);
  t.deepEqual(completed('show', 'id'), ['id_channel']);
  t.deepEqual(completed('--profile', 'work', 'deliveries', 'show', 'id'), ['id_delivery']);
  t.deepEqual(completed('subscriptions', 'show', 'ch_1', 'id'), ['id_subscription']);
  t.deepEqual(completed('deliveries', 'list', '--channel', 'id'), ['id_channel']);
  t.deepEqual(completed('list', '--workspace', 'id'), ['id_workspace']);
  t.deepEqual(completed('trigger', 'message.rea'), ['message.reaction', 'message.read']);
  t.deepEqual(completed('ordering', 'ch_1', 'con'), ['conversation']);
  t.deepEqual(completed('webhook', 'set', 'ch_1', 'id'), [''], 'a URL is not completed');
});

const hasFish = spawnSync('fish', ['--version']).status === 0;

test('zsh and fish get scripts of their own', async (t) => {
  const cli = await testCli(t);
  t.regex((await cli.run('completion zsh')).stdout, /^#compdef channels/);
  t.regex((await cli.run('completion fish')).stdout, /complete -c channels .*-a deliveries/);
});

(hasFish ? test : test.skip)('fish accepts the completion script', async (t) => {
  const { stdout: script } = await (await testCli(t)).run('completion fish');
  t.is(spawnSync('fish', ['--no-execute'], { input: script }).status, 0);
});
