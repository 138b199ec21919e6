#!/usr/bin/env node
// Plain JavaScript that old Node versions can parse. The program itself is TypeScript, which needs a newer Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MIN_VERSION = [22, 18];
const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..');
const main = join(folder, 'main.ts');
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) {
  // Halves the time of a command. The default folder, in /tmp, could be prepared by another user.
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  module.enableCompileCache(join(cache, 'messaging-channels', 'compiled'));
  await import(new URL('main.ts', import.meta.url).href);
} else {
  startWithOwnNode(join(root, 'node_modules', '.bin', 'node'));
}

/** `npm ci` installs a Node as an optional package, except on macOS. */
function startWithOwnNode(ownNode) {
  if (!existsSync(ownNode)) return failOnOldNode();
  const child = spawn(ownNode, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes; this one waits for the child.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', failOnOldNode);
  child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
}

function failOnOldNode() {
  process.stderr.write(
    `channels needs Node ${MIN_VERSION.join('.')} or later; this is ${process.versions.node}.\n` +
      'To fix this, run `npm ci` in the package folder, which installs one,\n' +
      'or put a newer Node first on PATH.\n',
  );
  process.exit(1);
}
