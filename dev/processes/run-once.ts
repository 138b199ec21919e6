import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { StartFailed } from './processes.ts';

export interface RunOnce {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Returns the lines of stdout. An aborted process has ended when it rejects. */
export async function runOnce({ name, args, env, onLine, signal }: RunOnce): Promise<string[]> {
  const child = spawn(process.execPath, args, {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  const output: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => output.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => {
    errors.push(line);
    onLine(line);
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => {
      if (cause.name !== 'AbortError')
        reject(new StartFailed(`${name} could not be started: ${cause.message}`, { cause }));
    });
    child.once('close', (code, ended) => {
      if (code === 0) return resolve();
      const lines = [...output, ...errors].slice(-25).map((line) => `  ${line}\n`);
      reject(new StartFailed(`${name} failed with ${ended ?? `exit code ${code}`}:\n${lines.join('')}`));
    });
  });
  return output;
}
