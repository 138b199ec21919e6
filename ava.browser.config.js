export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/dashboard/browser/**/*.test.ts'],
  timeout: '10m',
  // Each file starts a browser; two use up a small machine.
  concurrency: 1,
};
