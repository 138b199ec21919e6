import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { projectRoot, sourceFiles } from './source-files.ts';

/** Checks the shape of the tree: folder width, imports between folders of a room, and crumbs (see CONTRIBUTING.md). */

const MAX_ENTRIES = 25;

/** Folders that may be wider, each with its reason. */
const wideByNature = new Map([
  ['.', 'tools look for their configuration in the root'],
  ['db/migrations', 'migrations are numbered, immutable and only ever added'],
]);

/** A crumb has fewer lines than this and a single importer. */
const CRUMB_LINES = 15;
/** Short files are legitimate now and then; many of them mean that one thing lies in two places. */
const MAX_CRUMBS = 10;

/** Files that can't be merged into their importer, each with its reason. */
const apartByNature: readonly { readonly path: RegExp; readonly reason: string }[] = [
  { path: /^test\//, reason: 'a test is imported by nothing, and its fixtures are small on purpose' },
  { path: /^db\/migrations\//, reason: 'one file per migration' },
  { path: /^workflows\/index\.ts$/, reason: 'the entry point of the workflow bundle' },
  { path: /-process\.ts$/, reason: 'the entry point of a child process' },
];

/** The imports between the given files, as pairs of paths. */
export type Imports = readonly (readonly [importer: string, imported: string])[];

/** Returns the folders with too many entries; a subfolder counts as one entry. */
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

/** Returns the pairs of folders of one room that import each other. */
export function mutualFolders(imports: Imports): string[] {
  const example = new Map<string, string>();
  for (const [importer, imported] of imports) {
    const [from, to] = [dirname(importer), dirname(imported)];
    if (from !== to && roomOf(from) === roomOf(to)) example.set(`${from} ${to}`, `${importer} imports ${imported}`);
  }
  return [...example].flatMap(([pair, forth]) => {
    const [from = '', to = ''] = pair.split(' ');
    const back = from < to ? example.get(`${to} ${from}`) : undefined;
    return back ? [`${from} and ${to} import each other: ${forth}; ${back}. Move one of these files.`] : [];
  });
}

/** Returns the files that are so short, and so little used, that they belong into their only importer. */
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

/** Returns the imports of project files by one file; packages and files that don't exist are left out. */
export function importsOf({ path, text }: { path: string; text: string }, known: ReadonlySet<string>): Imports {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => [path, normalize(join(dirname(path), fileName))] as const)
    .filter(([, imported]) => known.has(imported));
}

function roomOf(folder: string): string {
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
