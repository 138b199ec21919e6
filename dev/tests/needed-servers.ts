import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Source {
  readonly text: string;
  readonly imports: readonly string[];
}

const tests = join(import.meta.dirname, '../../test/');
const relativeImport = /(?:from |import |import\()'(\.[^']+)'/g;
const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  let source = sources.get(file);
  if (source === undefined) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const paths = [...text.matchAll(relativeImport)].map(([, path = '']) => join(dirname(file), path));
    sources.set(file, (source = { text, imports: paths.filter((path) => path.startsWith(tests)) }));
  }
  return source;
}

/** Returns whether the text is in one of these test files or in a file of `test/` that they import. Paths are absolute. */
export function mentions(files: readonly string[], text: string): boolean {
  const seen = new Set(files);
  for (const file of seen) {
    const source = sourceOf(file);
    if (source.text.includes(text)) return true;
    for (const path of source.imports) seen.add(path);
  }
  return false;
}

const settings = ['TEST_DATABASE_URL', 'TEST_TEMPORAL_ADDRESS'] as const;

export type TestServer = (typeof settings)[number];

/** Returns the servers whose address is read by these test files or by anything that they import. */
export function neededServers(args: readonly string[]): ReadonlySet<TestServer> {
  const files = args.filter((arg) => !arg.startsWith('-')).map((arg) => join(process.cwd(), arg));
  if (files.length === 0 || !files.every((file) => file.endsWith('.ts') && existsSync(file))) return new Set(settings);
  return new Set(settings.filter((setting) => mentions(files, setting)));
}
