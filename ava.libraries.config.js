export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/platform/client-libraries/**/*.test.ts'],
  timeout: '10m',
};
