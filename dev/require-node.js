// Plain JavaScript, loaded before the first TypeScript file: an older Node would fail on that with a riddle.
const NEEDED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
  process.stderr.write(
    `This needs Node ${NEEDED_MAJOR} or later, and this is ${process.versions.node}. ` +
      'npm ci installs the right one as a package and the npm scripts use it: ' +
      'run `npm ci` (without --ignore-scripts), then `npm start` or `npm test`.\n',
  );
  process.exit(1);
}
