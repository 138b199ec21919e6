import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { projectRoot, sourceFiles } from './source-files.ts';

const MAX_ENTRIES = 25;

const wideByNature = new Map([
  ['.', 'tools look for their configuration in the root'],
  ['db/migrations', 'migrations are numbered, immutable and only ever added'],
  ['docs', 'one page per subject; docs/README.md lists them'],
  ['docs/adr', 'decisions are numbered and only ever added'],
]);

const CRUMB_LINES = 15;
const MAX_CRUMBS = 10;

const apartByNature: readonly { readonly path: RegExp; readonly reason: string }[] = [
  { path: /^test\//, reason: 'a test is imported by nothing, and its fixtures are small on purpose' },
  { path: /^db\/migrations\//, reason: 'one file per migration' },
  { path: /^workflows\/index\.ts$/, reason: 'the entry point of the workflow bundle' },
  { path: /-process\.ts$/, reason: 'the entry point of a child process' },
];

export type Imports = readonly (readonly [importer: string, imported: string])[];

/** A subfolder counts as one entry. */
export function wideFolders(paths: readonly string[]): string[] {
  const entries = new Map<string, Set<string>>();
  for (const path of paths) {
    for (let entry = path; entry !== '.'; entry = dirname(entry)) {
      const folder = dirname(entry);
      entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
    }
  }
  return [...entries]
    .filter(([folder, { size }]) => size > MAX_ENTRIES && !wideByNature.has(folder))
    .map(([folder, { size }]) => `${folder}: ${size} entries, more than ${MAX_ENTRIES}. Group them by noun.`);
}

export function mutualFolders(imports: Imports): string[] {
  const example = new Map<string, string>();
  for (const [importer, imported] of imports) {
    const [from, to] = [dirname(importer), dirname(imported)];
    if (from !== to && layerOf(from) === layerOf(to)) example.set(`${from} ${to}`, `${importer} imports ${imported}`);
  }
  return [...example].flatMap(([pair, forth]) => {
    const [from = '', to = ''] = pair.split(' ');
    const back = from < to ? example.get(`${to} ${from}`) : undefined;
    return back ? [`${from} and ${to} import each other: ${forth}; ${back}. Move one of these files.`] : [];
  });
}

export function crumbs(lineCounts: ReadonlyMap<string, number>, imports: Imports): string[] {
  const importers = new Map<string, Set<string>>();
  for (const [importer, imported] of imports)
    importers.set(imported, (importers.get(imported) ?? new Set()).add(importer));
  return [...lineCounts].flatMap(([path, lineCount]) => {
    const [only, ...others] = importers.get(path) ?? [];
    if (only === undefined || others.length > 0 || lineCount >= CRUMB_LINES) return [];
    if (apartByNature.some((each) => each.path.test(path))) return [];
    return [`${path}: ${lineCount} lines, imported by ${only} alone. Merge it.`];
  });
}

export function importsOf({ path, text }: { path: string; text: string }, known: ReadonlySet<string>): Imports {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => [path, normalize(join(dirname(path), fileName))] as const)
    .filter(([, imported]) => known.has(imported));
}

function layerOf(folder: string): string {
  return folder.split('/')[0] ?? folder;
}

if (import.meta.main) {
  const paths = sourceFiles(/./);
  const known = new Set(paths);
  const texts = paths
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
  const imports = texts.flatMap((file) => importsOf(file, known));
  const lineCounts = new Map(texts.map(({ path, text }) => [path, text.trimEnd().split('\n').length]));

  const found = crumbs(lineCounts, imports);
  const broken = [...wideFolders(paths), ...mutualFolders(imports), ...(found.length > MAX_CRUMBS ? found : [])];
  for (const finding of broken) console.error(finding);
  console.log(`${found.length} crumbs, at most ${MAX_CRUMBS}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
