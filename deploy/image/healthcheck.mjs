import { readFileSync } from 'node:fs';

/**
 * Exits with 0 if the process of this container is healthy: `node deploy/image/healthcheck.mjs [process] [path]`.
 * Without arguments it checks the process that the container was started with, a worker on its metrics port. Plain
 * JavaScript without the settings table, because it runs every few seconds in every container.
 */
const ports = {
  api: { port: process.env.API_PORT || '3000', path: '/healthz' },
  gateway: { port: process.env.GATEWAY_PORT || '3001', path: '/healthz' },
  worker: { port: process.env.WORKER_METRICS_PORT || '0', path: '/healthz' },
};
/** Below the timeout of the image's and Compose's health check. */
const TIMEOUT_MS = 4_500;

const [name = startedAs(), path] = process.argv.slice(2);
if (name === 'admin') process.exit(0); // a command that exits by itself
const target = ports[name];
if (!target) fail(`Unknown process "${name}". Use api, gateway or worker.`);
if (target.port === '0') fail(`The ${name} has no port to check. Set ${name.toUpperCase()}_METRICS_PORT.`);
try {
  const url = `http://127.0.0.1:${target.port}${path ?? target.path}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.arrayBuffer();
  if (!response.ok) fail(`${url} answered ${response.status}`);
} catch (error) {
  fail(String(error?.cause ?? error));
}
process.exit(0);

/** Returns the name in PID 1's command line: `node <name>/main.ts`, or the init's argument. */
function startedAs() {
  const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
  const main = words.find((word) => Object.keys(ports).some((name) => word === name || word === `${name}/main.ts`));
  return main?.split('/')[0] ?? 'admin';
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
