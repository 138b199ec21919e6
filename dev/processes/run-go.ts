import { spawn } from 'node:child_process';

export interface RunGo {
  readonly args: readonly string[];
  readonly signal: AbortSignal;
}

/** GOFLAGS of the user must not change the build. */
export const goEnvironment = { GOFLAGS: '-mod=readonly -buildvcs=false -trimpath', GOWORK: 'off' };

const SHOWN_LINES = 10;

/** Ends with this process, because a build would keep the machine busy for minutes. Returns stdout. */
export async function runGo({ args, signal }: RunGo): Promise<string> {
  const child = spawn('go', args, {
    env: { ...process.env, ...goEnvironment },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const end = () => child.kill();
  process.once('exit', end);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', (cause) =>
        reject(new Error(`go could not be started (is Go on PATH?): ${cause.message}`, { cause })),
      );
      child.once('close', (code, ended) => {
        if (code === 0) return resolve();
        const tail = (output + errors).trim().split('\n').slice(-SHOWN_LINES).join('\n');
        reject(new Error(`go ${args[0]} failed with ${ended ?? `exit code ${code}`}:\n${tail}`));
      });
    });
    return output;
  } finally {
    process.off('exit', end);
  }
}
