export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/metrics/promtool/**/*.test.ts'],
  // The rules look back over a month.
  timeout: '10m',
};
