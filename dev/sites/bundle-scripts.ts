import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { transform, type TransformOptions } from 'esbuild';
import { type OutputChunk, type Plugin, rollup } from 'rollup';

const TARGET = 'es2023';
/** Parts with less source are merged with others. Each one costs a browser a request. */
const MIN_PART_BYTES = 15_000;

/** What a bundler makes of entries. */
export interface Bundle {
  readonly files: readonly { readonly name: string; readonly contents: Uint8Array }[];
  /** File names of the entries, by their names. */
  readonly entries: Readonly<Record<string, string>>;
  /** What the entry `main` imports before it runs, in turn. */
  readonly preload: readonly string[];
}

/**
 * Bundles scripts that load others on demand. With Rollup, because it knows that the first script is there when a page is
 * loaded and merges small parts: esbuild made five times as many files, and a first visit took seven times as many requests.
 *
 * @param entries the paths of the scripts, by their names
 * @throws Error if an import is not found
 */
export async function bundleScripts(entries: Readonly<Record<string, string>>): Promise<Bundle> {
  const bundle = await rollup({
    input: entries,
    plugins: [typescript, nodeResolve({ browser: true })],
    onLog(level, log) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && !isHarmless(log.code)) console.warn(log.message);
    },
  });
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: 'part-[hash].js',
    hashCharacters: 'base36',
    experimentalMinChunkSize: MIN_PART_BYTES,
  });
  await bundle.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk');
  const ofEntries = new Map(chunks.filter(({ isEntry }) => isEntry).map(({ name, fileName }) => [name, fileName]));
  const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]));
  return {
    files: chunks.map(({ fileName, code }) => ({ name: fileName, contents: Buffer.from(code) })),
    entries: Object.fromEntries(ofEntries),
    preload: importedBy(ofEntries.get('main'), (name) => imports.get(name) ?? []),
  };
}

/** Packages mark their modules for servers and have cycles. */
const isHarmless = (code: string | undefined): boolean =>
  code === 'MODULE_LEVEL_DIRECTIVE' || code === 'CIRCULAR_DEPENDENCY' || code === 'THIS_IS_UNDEFINED';

const minified: TransformOptions = {
  minify: true,
  target: TARGET,
  format: 'esm',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
};

/** The product's modules name each other with their extensions. */
const typescript: Plugin = {
  name: 'typescript',
  resolveId(source, importer) {
    return importer !== undefined && /^\..*\.tsx?$/.test(source) ? resolve(dirname(importer), source) : null;
  },
  async load(path) {
    const extension = extname(path);
    if (extension !== '.ts' && extension !== '.tsx') return null;
    const loader = extension === '.tsx' ? 'tsx' : 'ts';
    const options = { loader, target: TARGET, jsx: 'automatic', jsxImportSource: 'preact' } as const;
    return (await transform(await readFile(path, 'utf8'), { ...options, sourcefile: basename(path) })).code;
  },
  async renderChunk(code) {
    return (await transform(code, minified)).code;
  },
};

/** Returns the files that a file imports, directly and in turn. */
export function importedBy(first: string | undefined, importsOf: (name: string) => readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const imported of importsOf(name)) {
      if (found.has(imported)) continue;
      found.add(imported);
      visit(imported);
    }
  };
  if (first !== undefined) visit(first);
  return [...found];
}
