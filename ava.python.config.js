export default {
  extensions: ['ts'],
  require: ['./test/harness/end-of-file.ts'],
  files: ['test/client/python/**/*.test.ts'],
  timeout: '10m',
};
