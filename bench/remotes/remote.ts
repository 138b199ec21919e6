import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export type Calls = Readonly<Record<string, (input: never) => unknown>>;

export interface Remote<Functions extends Calls> {
  readonly pid: number;
  call<Name extends keyof Functions & string>(
    name: Name,
    input: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>>;
  stop(): Promise<void>;
}

interface Request {
  readonly number: number;
  readonly name: string;
  readonly input: never;
}

interface Answer {
  readonly number: number;
  readonly result?: never;
  readonly error?: string;
}

export async function startRemote<Functions extends Calls>(path: string): Promise<Remote<Functions>> {
  const child = fork(path, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  await once(child, 'message');
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let number = 0;

  child.on('message', ({ number: answered, result, error }: Answer) => {
    const call = waiting.get(answered);
    waiting.delete(answered);
    if (error !== undefined) call?.reject(new Error(error));
    else call?.resolve(result as never);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${path} ended (${signal ?? code})`));
  });
  return {
    pid: child.pid!,
    call: (name, input) =>
      new Promise((resolve, reject) => {
        waiting.set(++number, { resolve, reject });
        child.send({ number, name, input });
      }),
    stop: () => stopChild(child),
  };
}

export function serveRemote(functions: Calls): void {
  process.on('message', ({ number, name, input }: Request) => {
    void (async () => {
      try {
        process.send?.({ number, result: await functions[name]?.(input) });
      } catch (error) {
        process.send?.({ number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    })();
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  await ended;
}
