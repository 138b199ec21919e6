export default {
  extensions: ['ts'],
  files: ['test/proxies/**/*.test.ts'],
  timeout: '2m',
};
