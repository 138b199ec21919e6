import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../dev/processes/ports.ts';
import { until } from '../harness/until.ts';

const run = promisify(execFile);
const examples = join(import.meta.dirname, '../../docs/examples/receivers');
/** Includes the time to compile on a busy machine. */
const START_TIMEOUT_MS = 240_000;

export interface ExampleLanguage {
  readonly name: 'Node' | 'Go' | 'Python' | 'Java';
  /** The missing tool; undefined if the example can run. */
  readonly missing: string | undefined;
}

/** Python and Java are optional. */
export const exampleLanguages: readonly ExampleLanguage[] = [
  { name: 'Node', missing: undefined },
  { name: 'Go', missing: undefined },
  { name: 'Python', missing: works('python3', ['-c', 'str.removeprefix']) ? undefined : 'python3 of 3.9 or later' },
  { name: 'Java', missing: works('javac', ['--release', '17', '--version']) ? undefined : 'a JDK of 17 or later' },
];

function works(program: string, options: readonly string[]): boolean {
  return spawnSync(program, options).status === 0;
}

async function commandOf({ name }: ExampleLanguage): Promise<readonly [string, ...string[]]> {
  switch (name) {
    case 'Node':
      return [process.execPath, join(examples, 'node/receiver.mjs')];
    case 'Python':
      return ['python3', join(examples, 'python/receiver.py')];
    case 'Java':
      return ['java', '-cp', await compiled.java(), 'Receiver'];
    case 'Go':
      return [join(await compiled.go(), 'receiver')];
  }
}

/** Each returns a folder. Starts compile nothing, because tests start each example several times. */
const compiled = {
  java: onFirstUse(async (folder) => await run('javac', ['-d', folder, join(examples, 'java/Receiver.java')])),
  // Uses the user's build cache, without which the standard library takes half a minute.
  go: onFirstUse(async (folder) => await run('go', ['build', '-o', folder, join(examples, 'go/receiver.go')])),
};

function onFirstUse(compile: (folder: string) => Promise<unknown>): () => Promise<string> {
  let made: Promise<string> | undefined;
  const make = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-example-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    await compile(folder);
    return folder;
  };
  return () => (made ??= make());
}

/** An example in its own process, started as documented. */
export interface ExampleReceiver {
  readonly url: string;
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** Omitted variables are unset. */
export interface ReceiverSettings {
  readonly VERIFY_TOKEN?: string;
  readonly WEBHOOK_HMAC_SECRET?: string;
  readonly SIGNATURE?: string;
}

/** Throws the example's error output if it exits instead of listening. */
export async function startExample(language: ExampleLanguage, settings: ReceiverSettings): Promise<ExampleReceiver> {
  return await startProgram(await commandOf(language), settings);
}

/** @param path below `docs/examples` */
export async function startNodeExample(
  path: string,
  settings: Readonly<Record<string, string>>,
): Promise<ExampleReceiver> {
  return await startProgram([process.execPath, join(examples, '..', path)], settings);
}

async function startProgram(
  [program, ...options]: readonly [string, ...string[]],
  settings: object,
): Promise<ExampleReceiver> {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...settings, PORT: String(port) };
  const child = spawn(program, options, { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = await linesOfListening(child);
  return { url: `http://127.0.0.1:${port}/webhook`, lines, stop: () => killed(child) };
}

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));

async function linesOfListening(child: ChildProcess): Promise<readonly string[]> {
  const lines: string[] = [];
  let errorText = '';
  children.add(child);
  child.once('exit', () => children.delete(child));
  const closed = once(child, 'close').then(() => true);
  let isGone = false;
  void closed.then(() => (isGone = true));
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr?.on('data', (chunk) => (errorText += chunk));
  const isUp = (): boolean => lines.some((line) => line.startsWith('listening on '));
  await until(() => isUp() || isGone, { for: 'The start of an example', timeoutMs: START_TIMEOUT_MS });
  if (!isUp()) throw new Error(`The example exited: ${errorText}`);
  return lines;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
