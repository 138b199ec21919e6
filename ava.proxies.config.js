export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/process/proxies/**/*.test.ts'],
  timeout: '10m',
};
