export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/deploy/charts/**/*.test.ts'],
  // Two servers start, each with a database, on a machine that may be busy.
  timeout: '10m',
};
