export default {
  extensions: ['ts'],
  files: ['test/client/python/**/*.test.ts'],
  timeout: '10m',
};
