import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { runProgram } from '../../cli/program.ts';
import type { World, Writer } from '../../cli/terminal/world.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly terminal?: { readonly columns?: number; readonly answers?: readonly (string | (() => Promise<string>))[] };
  readonly fetch?: World['fetch'];
  readonly now?: () => number;
  readonly openBrowser?: NonNullable<World['openBrowser']>;
  readonly hasHyperlinks?: boolean;
}

export interface RunningCli {
  readonly said: () => string;
  readonly warned: () => string;
  readonly lines: () => any[]; // eslint-disable-line @typescript-eslint/no-explicit-any -- each command's own output
  stop(): Promise<CliEnd>;
  readonly ended: Promise<CliEnd>;
}

export interface Cli {
  readonly configFolder: string;
  run(line: string | readonly string[], options?: CliOptions): Promise<CliEnd>;
  /** Runs with --json, expects success and returns the document. */
  json(line: string | readonly string[], options?: CliOptions): Promise<any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- its shape is the API's
  fails(code: number, line: string | readonly string[], options?: CliOptions): Promise<string>;
  start(line: string | readonly string[], options?: CliOptions): RunningCli;
}

/** Runs the CLI in-process, isolated from the developer's files and environment. */
export async function testCli(t: ExecutionContext<unknown>, env: Readonly<Record<string, string>> = {}): Promise<Cli> {
  const folder = await temporaryFolder(t);
  const configFolder = join(folder, 'messaging-channels');
  const start = (line: string | readonly string[], options: CliOptions = {}): RunningCli => {
    const interruption = new AbortController();
    const input = terminalInput(options);
    const stdout = writerOf(options);
    const stderr = writerOf(options, input.onQuestion);
    const world: World = {
      env: { ...env, ...options.env },
      stdout: stdout.writer,
      stderr: stderr.writer,
      stdin: input.stdin,
      configFolder,
      fetch: options.fetch ?? ((request) => fetch(request)),
      now: options.now ?? (() => Date.now()),
      ...(options.openBrowser && { openBrowser: options.openBrowser }),
      hasHyperlinks: options.hasHyperlinks ?? false,
      signal: interruption.signal,
    };
    const args = argumentsOf(line);
    const ended = runProgram(world, args).then((code) => ({ code, stdout: stdout.text(), stderr: stderr.text() }));
    return {
      ended,
      said: stdout.text,
      warned: stderr.text,
      lines: () => stdout.text().split('\n').filter(Boolean).map((one) => JSON.parse(one)), // prettier-ignore
      stop() {
        interruption.abort();
        return ended;
      },
    };
  };
  const run: Cli['run'] = (line, options) => start(line, options).ended;
  return {
    configFolder,
    start,
    run,
    async json(line, options) {
      const args = argumentsOf(line);
      const { code, stdout, stderr } = await run([...args, '--json'], options);
      t.is(code, 0, `${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async fails(code, line, options) {
      const end = await run(line, options);
      t.is(end.code, code, `${String(line)}: ${end.stdout}${end.stderr}`);
      return end.stderr;
    },
  };
}

/** A line may have quoted words. */
function argumentsOf(line: string | readonly string[]): readonly string[] {
  return typeof line === 'string' ? wordsOf(line) : line;
}

export function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare!,
  );
}

function writerOf({ terminal }: CliOptions, onText: (text: string) => void = () => undefined) {
  const chunks: Buffer[] = [];
  const writer: Writer = {
    write(text) {
      chunks.push(Buffer.from(text));
      onText(String(text));
    },
    isTTY: terminal !== undefined,
    columns: terminal?.columns ?? 100,
  };
  return { writer, text: () => Buffer.concat(chunks).toString('utf8') };
}

function terminalInput({ stdin: text, terminal }: CliOptions) {
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  if (!terminal) stdin.end(text ?? '');
  else stdin.isTTY = true;
  const answers = [...(terminal?.answers ?? [])];
  const onQuestion = (said: string): void => {
    if (!terminal || !/[:\]] $/.test(said)) return;
    const answer = answers.shift();
    void Promise.resolve(typeof answer === 'function' ? answer() : answer).then((one) => stdin.write(`${one ?? ''}\n`));
  };
  return { stdin, onQuestion };
}
