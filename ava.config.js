export default {
  extensions: ['ts'],
  // Those need programs that npm does not install: npm run test:browser, npm run test:proxies.
  files: ['test/**/*.test.ts', '!test/dashboard/browser/**', '!test/process/proxies/**'],
  timeout: '2m',
};
