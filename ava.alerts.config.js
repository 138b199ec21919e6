export default {
  extensions: ['ts'],
  files: ['test/metrics/promtool/**/*.test.ts'],
  // The rules look back over a month.
  timeout: '10m',
};
