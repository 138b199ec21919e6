export default {
  extensions: ['ts'],
  files: ['test/dashboard/browser/**/*.test.ts'],
  timeout: '2m',
  // A browser each; two of them fill a small machine.
  concurrency: 1,
};
