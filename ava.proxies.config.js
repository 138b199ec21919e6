export default {
  extensions: ['ts'],
  files: ['test/process/proxies/**/*.test.ts'],
  timeout: '10m',
};
