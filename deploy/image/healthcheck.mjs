import { readFileSync } from 'node:fs';

/**
 * Says by its exit code whether the process of this container is well: `node deploy/image/healthcheck.mjs [process]
 * [path]`. Without a process it is the one that the container was started as. The worker serves nobody and is
 * asked on its metrics port. Plain JavaScript without the settings table: it runs every few seconds in every container.
 */
const ports = {
  api: { port: process.env.API_PORT || '3000', path: '/healthz' },
  gateway: { port: process.env.GATEWAY_PORT || '3001', path: '/healthz' },
  worker: { port: process.env.WORKER_METRICS_PORT || '0', path: '/healthz' },
};
/** Below what the image and Compose give the check. */
const TIMEOUT_MS = 4_500;

const [name = startedAs(), path] = process.argv.slice(2);
if (name === 'admin') process.exit(0); // a command that ends by itself
const target = ports[name];
if (!target) fail(`There is nothing to ask of "${name}"`);
if (target.port === '0') fail(`The ${name} has no port to ask: set ${name.toUpperCase()}_METRICS_PORT`);
try {
  const url = `http://127.0.0.1:${target.port}${path ?? target.path}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.arrayBuffer();
  if (!response.ok) fail(`${url} answers ${response.status}`);
} catch (error) {
  fail(String(error?.cause ?? error));
}
process.exit(0);

/** The first process runs `node <name>/main.ts`; with an init in front of it, the name stands there too. */
function startedAs() {
  const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
  const main = words.find((word) => Object.keys(ports).some((name) => word === name || word === `${name}/main.ts`));
  return main?.split('/')[0] ?? 'admin';
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
