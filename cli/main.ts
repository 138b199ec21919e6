import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { runProgram } from './program.ts';

const INTERRUPTED = 130;
const { env, stdout, stderr, stdin } = process;
const configHome = env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
const interruption = new AbortController();

process.on('SIGINT', () => {
  // A second Ctrl-C exits immediately.
  if (interruption.signal.aborted) process.exit(INTERRUPTED);
  interruption.abort();
});
process.on('SIGTERM', () => interruption.abort());
for (const stream of [stdout, stderr]) {
  // The reader closed the pipe, as in `channels … | head -1`.
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}

process.exitCode = await runProgram(
  {
    ...{ env, stdout, stderr, stdin },
    fetch: (request) => fetch(request),
    now: () => Date.now(),
    configFolder: join(configHome, 'messaging-channels'),
    signal: interruption.signal,
  },
  process.argv.slice(2),
);
stdin.unref?.();
