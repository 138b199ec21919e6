import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { World } from './terminal/world.ts';

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

const world: World = {
  env,
  stdout,
  stderr,
  stdin,
  fetch: (request) => fetch(request),
  now: () => Date.now(),
  // Pipes don't need it, and loading it takes time.
  hasHyperlinks: stdout.isTTY && (await import('supports-hyperlinks')).createSupportsHyperlinks(stdout),
  openBrowser,
  configFolder: join(configHome, 'messaging-channels'),
  signal: interruption.signal,
};
const args = process.argv.slice(2);
if (args[0] === '__complete') {
  // Without the program, whose commands take a noticeable time to load.
  const { completeIds } = await import('./commands/completion/complete-ids.ts');
  await completeIds(world, args.slice(1));
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(world, args);
}
stdin.unref?.();

async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  await open(url);
}
