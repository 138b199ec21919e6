import { availableParallelism } from 'node:os';

export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  // Those need programs that npm does not install: test:alerts, test:browser, test:charts, test:fuzz, test:libraries, test:proxies
  // and test:python.
  files: [
    'test/**/*.test.ts',
    '!test/dashboard/browser/**',
    '!test/deploy/charts/**',
    '!test/metrics/promtool/**',
    '!test/process/proxies/**',
    '!test/client/python/**',
    '!test/openapi/fuzz/**',
    '!test/platform/client-libraries/**',
  ],
  // A native module of Temporal's SDK sometimes crashed while its thread ended, and all tests with it.
  workerThreads: false,
  // Many tests wait for other processes, so that one file per core leaves the cores idle.
  concurrency: Math.max(3, availableParallelism()),
  // The time without any result of a test, which a busy machine may need. Longer than the waits of a test.
  timeout: '10m',
};
