export default {
  extensions: ['ts'],
  require: ['./test/harness/time/end-of-file.ts'],
  files: ['test/openapi/fuzz/**/*.test.ts'],
  // The long form prints nothing for hours.
  timeout: '24h',
};
