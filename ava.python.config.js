export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/client/python/**/*.test.ts'],
  timeout: '10m',
};
