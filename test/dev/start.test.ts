import { existsSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { Connection } from '@temporalio/client';
import test, { type ExecutionContext } from 'ava';
import { npmStart } from '../../bench/system/npm-start.ts';
import { StopList } from '../../dev/processes/stop-list.ts';
import { sourceCopy } from './source-copy.ts';
import { until } from '../harness/until.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** @throws Error if the value of a row does not do what a person expects */
type Opens = (value: string) => Promise<void>;

/** What to expect of rows that are not the address of a page. Every other row has to be a page that opens. */
const others: Readonly<Record<string, Opens>> = {
  // Clients of the platform's API call it with a token. It has no page; its error says which routes and codes there are.
  Gateway: async (address) => {
    const text = await answerOf(address, 404);
    if (JSON.parse(text).code !== 'ROUTE_NOT_FOUND') throw new Error(text);
    await answerOf(`${address}/readyz`);
  },
  // Commands of the tour call it. It has no page; its error lists what it serves.
  'Platform simulator': async (address) => {
    const text = await answerOf(address, 404);
    if (!JSON.parse(text).message.includes('The simulator serves /control/')) throw new Error(text);
    await answerOf(`${address}/healthz`);
  },
  // It speaks gRPC.
  Temporal: async (address) => {
    const connection = await Connection.connect({ address });
    await connection.close();
  },
  // A command that reads a file.
  'Ids, key, addresses': async (command) => {
    const [, path = ''] = /^set -a; \. (\S+); set \+a$/.exec(command) ?? [];
    if (!existsSync(path)) throw new Error(`${command} reads no file`);
  },
  // A key.
  Stop: async () => undefined,
};

test('every address that `npm start` shows opens in a new checkout', async (t) => {
  t.timeout(20 * 60_000);
  const rows = await startedBox(t);
  for (const name of [...Object.keys(others), 'Dashboard, API', 'API documentation', 'Mail inbox']) {
    t.true(name in rows, `The box has the row ${name}`);
  }
  const problems: string[] = [];
  for (const [name, value] of Object.entries(rows)) {
    const opens = others[name] ?? opensPage;
    await opens(value).catch((error: unknown) => problems.push(`${name}: ${String(error)}`));
  }
  t.deepEqual(problems, []);
});

/** Starts a copy of the sources, in which nothing is built. Returns the values of the box's rows by their names. */
async function startedBox(t: ExecutionContext): Promise<Readonly<Record<string, string>>> {
  const root = await sourceCopy(t);
  const folder = await temporaryFolder(t);
  // PostgreSQL may run as another OS user, which needs access to the folder.
  await chmod(folder, 0o711);
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  const { logPath } = await npmStart({ folder, root, stops, pids: {}, say: () => undefined });
  const output = await until(
    async () => {
      const text = await readFile(logPath, 'utf8');
      return text.includes('┘') && text;
    },
    { for: 'The box' },
  );
  const lines = [...output.matchAll(/│ (.+?) │$/gm)].map(([, line = '']) => line.trim());
  return Object.fromEntries(lines.map((line) => line.split(/ {2,}/)));
}

/** Words may follow the address. */
const opensPage: Opens = async (value) => {
  const [address = ''] = value.split(' ');
  const html = await answerOf(address);
  const heading = /<h1>([^<]*)/.exec(html)?.[1] ?? '';
  if (!/^<!doctype html>/i.test(html) || /\bnot built\b/.test(heading)) throw new Error(`${address}: ${html}`);
  const files = html.matchAll(/<(?:script|link rel="(?:stylesheet|modulepreload)")[^>]*? (?:src|href)="([^"]+)"/g);
  for (const [, path = ''] of files) await answerOf(new URL(path, address).href);
};

/** @throws Error if the address answers with another status */
async function answerOf(address: string, status = 200): Promise<string> {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${address} answered ${response.status}: ${text}`);
  return text;
}
