import { availableParallelism } from 'node:os';

export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/**/*.test.ts'],
  // A native module of Temporal's SDK sometimes crashed while its thread ended, and all tests with it.
  workerThreads: false,
  // Many tests wait for other processes, so that one process per core leaves the cores idle.
  concurrency: Math.max(3, availableParallelism()),
  // The time without any result of a test, which a busy machine may need. Longer than the waits of a test.
  timeout: '10m',
};
