import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findKubernetesTools } from './kubernetes-tools.ts';

const AVA = join(import.meta.dirname, '../../node_modules/ava/entrypoints/cli.js');
const SIGNAL_EXIT_CODE = 130;

/** `npm run test:charts`: builds the tools, which takes longer than a test may, and runs the tests that need them. */
async function main(): Promise<number> {
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  try {
    await findKubernetesTools({ onProgress: (text) => process.stderr.write(`${text}\n`), signal });
    signal.throwIfAborted();
    const args = [AVA, '--config', 'ava.charts.config.js', ...process.argv.slice(2)];
    const tests = spawn(process.execPath, args, { stdio: 'inherit' });
    signal.addEventListener('abort', () => tests.kill('SIGTERM'));
    const [code] = await once(tests, 'exit');
    return code ?? SIGNAL_EXIT_CODE;
  } catch (error) {
    if (!signal.aborted) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return signal.aborted ? SIGNAL_EXIT_CODE : 1;
  }
}

process.exit(await main());
