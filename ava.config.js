export default {
  extensions: ['ts'],
  // Those need a browser: npm run test:browser.
  files: ['test/**/*.test.ts', '!test/browser/**'],
  timeout: '2m',
};
