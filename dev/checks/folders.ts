import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { projectRoot, sourceFiles } from './source-files.ts';

export type Imports = readonly (readonly [importer: string, imported: string])[];

export function mutualFolders(imports: Imports): string[] {
  const example = new Map<string, string>();
  for (const [importer, imported] of imports) {
    const from = dirname(importer);
    const to = dirname(imported);
    if (from !== to && layerOf(from) === layerOf(to)) example.set(`${from} ${to}`, `${importer} imports ${imported}`);
  }
  return [...example].flatMap(([pair, forth]) => {
    const [from = '', to = ''] = pair.split(' ');
    const back = from < to ? example.get(`${to} ${from}`) : undefined;
    return back ? [`${from} and ${to} import each other: ${forth}; ${back}. Move one of these files.`] : [];
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
  const paths = sourceFiles(/\.tsx?$/);
  const known = new Set(paths);
  const imports = paths.flatMap((path) =>
    importsOf({ path, text: readFileSync(join(projectRoot, path), 'utf8') }, known),
  );
  const broken = mutualFolders(imports);
  for (const finding of broken) console.error(finding);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
