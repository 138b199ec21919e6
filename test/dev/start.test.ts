import { existsSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
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
  // Their build may still run.
  Guides: async (address) => {
    await until(async () => (await opensPage(address).catch(() => false)) !== false, { for: 'The guides' });
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
  const { lines, rows } = await startedBox(t);
  t.deepEqual(
    lines.filter((line) => /^temporal +\||^\w+ +\| +[{}\]"]/.test(line)),
    [],
    'a healthy start shows no line of Temporal and no JSON',
  );
  for (const name of [...Object.keys(others), 'Dashboard', 'API reference', 'Mail inbox']) {
    t.true(name in rows, `The box has the row ${name}`);
  }
  const problems: string[] = [];
  for (const [name, value] of Object.entries(rows)) {
    const opens = others[name] ?? opensPage;
    await opens(value).catch((error: unknown) => problems.push(`${name}: ${String(error)}`));
  }
  t.deepEqual(problems, []);
});

interface Box {
  readonly lines: readonly string[];
  /** The values of the rows by their names. */
  readonly rows: Readonly<Record<string, string>>;
}

/** Starts a copy of the sources, in which nothing is built. */
async function startedBox(t: ExecutionContext): Promise<Box> {
  const root = await sourceCopy(t);
  const folder = await temporaryFolder(t);
  // PostgreSQL may run as another OS user, which needs access to the folder.
  await chmod(folder, 0o711);
  const stops = new StopList(() => undefined);
  t.teardown(() => stops.stopAll());
  const { logPath } = await npmStart({ folder, root, stops, pids: {}, say: () => undefined });
  const output = await until(
    async () => {
      const text = stripVTControlCharacters(await readFile(logPath, 'utf8'));
      return text.includes('┘') && text;
    },
    { for: 'The box' },
  );
  const rows = [...output.matchAll(/│ (.+?) │$/gm)].map(([, row = '']) => row.trim().split(/ {2,}/));
  return { lines: output.split('\n'), rows: Object.fromEntries(rows) };
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
