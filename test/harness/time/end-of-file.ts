import process from 'node:process';
import { registerCompletionHandler } from 'ava';

const LIMIT_MS = 120_000;

/** AVA waits for each test process to end by itself, and would wait without end for what a test has left open. */
registerCompletionHandler(() => {
  setTimeout(() => {
    process.stderr.write(`Left open after the last test: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit(1);
  }, LIMIT_MS).unref();
});
