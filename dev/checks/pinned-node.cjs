/**
 * Loaded before every script. The `node` package puts the pinned version first on npm's PATH, but its install script
 * does that; where scripts are off, an older system Node would run instead and fail without a reason. Plain old
 * syntax, because exactly that old Node must be able to read it.
 */
const wanted = require('../../package.json').dependencies.node;
if (process.versions.node.split('.')[0] !== wanted.split('.')[0]) {
  process.stderr.write(
    `This is Node ${process.versions.node}; the project runs on its own Node ${wanted} from the npm package "node".\n` +
      'It is missing because packages were installed without their install scripts. Ways out:\n' +
      '  npm rebuild --ignore-scripts=false node    installs it now\n' +
      '  or put a Node of that major version first on PATH\n',
  );
  process.exit(1);
}
