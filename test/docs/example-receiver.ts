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

const examples = join(import.meta.dirname, '../../docs/examples/receivers');
/** Long enough for a compiler on a machine that is busy with other tests. */
const START_TIMEOUT_MS = 60_000;

export interface ExampleLanguage {
  readonly name: 'Node' | 'Go' | 'Python' | 'Java';
  /** What is not on this machine, so that the example can't run; undefined where all is there. */
  readonly missing: string | undefined;
}

/** The README demands Node and Go, so that their absence is a failure; Python and Java may be missing. */
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
      return ['java', join(examples, 'java/Receiver.java')];
    case 'Go':
      goBinary ??= buildGo();
      return [await goBinary];
  }
}

let goBinary: Promise<string> | undefined;

/** Once for all tests, with the user's own build cache: the standard library takes half a minute without one. */
async function buildGo(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-example-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const binary = join(folder, 'receiver');
  await promisify(execFile)('go', ['build', '-o', binary, join(examples, 'go/receiver.go')], { cwd: folder });
  return binary;
}

/** An example as a process of its own, started as its reader is told to. */
export interface ExampleReceiver {
  readonly url: string;
  /** What it has said that it worked on, a line each. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** What a receiver is told; left out is left unset. */
export interface ReceiverSettings {
  readonly VERIFY_TOKEN?: string;
  readonly WEBHOOK_HMAC_SECRET?: string;
  readonly SIGNATURE?: 'service' | 'standard';
}

/** Starts the example of a language and waits until it listens; throws what it said when it ends instead. */
export async function startExample(language: ExampleLanguage, settings: ReceiverSettings): Promise<ExampleReceiver> {
  const [program, ...options] = await commandOf(language);
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...settings, PORT: String(port) };
  const child = spawn(program, options, { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = await linesOfListening(child);
  return { url: `http://127.0.0.1:${port}/webhook`, lines, stop: () => killed(child) };
}

/** None outlives the tests, however they end. */
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
  if (!isUp()) throw new Error(`The example ended: ${errorText}`);
  return lines;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
