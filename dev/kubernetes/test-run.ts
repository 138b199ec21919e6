import { INTERRUPTED_EXIT_CODE, runAva } from '../processes/run-ava.ts';
import { findKubernetesTools } from './kubernetes-tools.ts';

/** `npm run test:charts`: builds the tools, which takes longer than a test may, and runs the tests that need them. */
async function main(): Promise<number> {
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  try {
    await findKubernetesTools({ onProgress: (text) => process.stderr.write(`${text}\n`), signal });
    signal.throwIfAborted();
    const args = ['--config', 'ava.charts.config.js', ...process.argv.slice(2)];
    return await runAva({ args, env: process.env, signal });
  } catch (error) {
    if (!signal.aborted) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return signal.aborted ? INTERRUPTED_EXIT_CODE : 1;
  }
}

process.exit(await main());
