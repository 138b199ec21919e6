export default {
  extensions: ['ts'],
  files: ['test/process/proxies/**/*.test.ts'],
  timeout: '2m',
};
