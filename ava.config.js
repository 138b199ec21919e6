import { availableParallelism } from 'node:os';

export default {
  extensions: ['ts'],
  // Those need programs that npm does not install: npm run test:browser, npm run test:proxies.
  files: ['test/**/*.test.ts', '!test/dashboard/browser/**', '!test/process/proxies/**'],
  // Many tests wait for other processes, so that one file per core leaves the cores idle.
  concurrency: Math.max(3, availableParallelism()),
  timeout: '2m',
};
