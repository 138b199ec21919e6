import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { bundleScripts } from './bundle-scripts.ts';

const MANIFEST = 'manifest.json';
/** Compression does not reduce smaller files. */
const MIN_COMPRESSED_BYTES = 256;

/** What the API needs to serve a site. */
interface SiteManifest {
  readonly script: string;
  /** Loaded before the style sheet. */
  readonly theme: string | undefined;
  readonly style: string;
  readonly icon: string;
  readonly preload: readonly string[];
  readonly files: Readonly<Record<string, readonly ('br' | 'gzip')[]>>;
  /** Hash of what the site is built from. */
  readonly inputs?: string | undefined;
}

export interface BuiltSite {
  readonly folder: string;
  /** Bytes of a first visit, with gzip. */
  readonly firstLoadBytes: number;
  readonly totalBytes: number;
}

interface SiteSource {
  readonly folder: string;
  /** In the source folder. */
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  /** Optional. A script that chooses the color scheme before the first paint. */
  readonly theme?: string;
  readonly outdir: string;
  /** Optional. True for many parts that are loaded on demand. Default: false. */
  readonly mergesParts?: boolean;
  /** Optional. Kept in the manifest for `builtInputs`. */
  readonly inputs?: string;
  /** Optional. Brotli's quality, 0 to 11. Default: 11. Large sites take a lower one, because 11 takes seconds. */
  readonly quality?: number;
  readonly options?: Pick<BuildOptions, 'plugins' | 'define' | 'loader'>;
}

/** Builds a site with scripts. Files have a content hash in their name, so that browsers can cache them forever. */
export async function buildSite(source: SiteSource): Promise<BuiltSite> {
  const { outdir: folder, quality = constants.BROTLI_MAX_QUALITY } = source;
  await mkdir(folder, { recursive: true });
  const { files, ...bundled } = await (source.mergesParts ? bundleMerged(source) : bundle(source));
  const compressed = new Map<string, CompressedFile>();
  await Promise.all(
    files.map(async ({ name, contents }) => {
      compressed.set(name, await writeCompressed(join(folder, name), { contents, quality }));
    }),
  );
  const encodings = [...compressed].map(([name, file]) => [name, file.encodings] as const);
  const manifest = { ...bundled, inputs: source.inputs, files: Object.fromEntries(encodings) };
  await publishManifest(folder, manifest);
  const sizeOf = (name: string): number => compressed.get(name)?.smallestBytes ?? 0;
  return {
    folder,
    firstLoadBytes: sum([manifest.script, manifest.theme ?? '', manifest.style, ...manifest.preload].map(sizeOf)),
    totalBytes: sum([...compressed.keys()].map(sizeOf)),
  };
}

interface Bundled extends Pick<SiteManifest, 'script' | 'theme' | 'style' | 'icon' | 'preload'> {
  readonly files: readonly { readonly name: string; readonly contents: Uint8Array }[];
}

/** Bundles style and icon with esbuild and scripts with Rollup. */
async function bundleMerged(source: SiteSource): Promise<Bundled> {
  const { folder, script, theme } = source;
  const [{ files, style, icon }, scripts] = await Promise.all([
    bundle(source, { scripts: false }),
    bundleScripts({ main: join(folder, script), ...(theme !== undefined && { theme: join(folder, theme) }) }),
  ]);
  const { entries, preload } = scripts;
  return {
    ...{ script: entries['main'] ?? '', theme: entries['theme'], style, icon, preload },
    files: [...files, ...scripts.files],
  };
}

async function bundle(source: SiteSource, { scripts = true } = {}): Promise<Bundled> {
  const { folder, script, style, icon, theme, outdir, options } = source;
  const { outputFiles, metafile } = await build({
    entryPoints: [
      { in: join(folder, style), out: 'style' },
      { in: join(folder, icon), out: 'icon' },
      ...(scripts ? [{ in: join(folder, script), out: 'main' }] : []),
      ...(scripts && theme !== undefined ? [{ in: join(folder, theme), out: 'theme' }] : []),
    ],
    absWorkingDir: folder,
    outdir,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: ['es2023'],
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none',
    ...options,
    loader: { '.svg': 'copy', ...options?.loader },
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const nameOf = outputNames(metafile, source);
  const main = scripts ? nameOf(script) : '';
  return {
    script: main,
    theme: scripts && theme !== undefined ? nameOf(theme) : undefined,
    style: nameOf(style),
    icon: nameOf(icon),
    preload: staticImports(metafile, { source, script: main }),
    files: outputFiles.map(({ path, contents }) => ({ name: relative(outdir, path), contents })),
  };
}

interface CompressedFile {
  readonly encodings: readonly ('br' | 'gzip')[];
  readonly smallestBytes: number;
}

interface Writing {
  readonly contents: Uint8Array;
  readonly quality: number;
}

async function writeCompressed(path: string, { contents, quality }: Writing): Promise<CompressedFile> {
  await writeFile(path, contents);
  if (contents.length < MIN_COMPRESSED_BYTES || !/^\.(?:js|css|svg)$/.test(extname(path))) {
    return { encodings: [], smallestBytes: contents.length };
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length, [constants.BROTLI_PARAM_QUALITY]: quality },
    }),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
  return { encodings: ['br', 'gzip'], smallestBytes: gz.length };
}

/** Returns a function that returns the name of the output of an entry. */
function outputNames({ outputs }: Metafile, { folder, outdir }: SiteSource): (file: string) => string {
  const named = Object.entries(outputs).map(([path, output]) => ({
    name: relative(outdir, join(folder, path)),
    ...output,
  }));
  return (file) => {
    const found = named.find(({ name, inputs, entryPoint }) => {
      return entryPoint === file || (name.startsWith('icon-') && file in inputs);
    });
    if (!found) throw new Error(`The build has no output for ${file}`);
    return found.name;
  };
}

function staticImports({ outputs }: Metafile, { source, script }: { source: SiteSource; script: string }): string[] {
  const keyOf = (name: string): string => relative(source.folder, join(source.outdir, name));
  const found = new Set<string>();
  const visit = (key: string): void => {
    for (const { path, kind } of outputs[key]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit(keyOf(script));
  return [...found].map((path) => relative(source.outdir, join(source.folder, path)));
}

/** Returns the hash of what a folder's site was built from, or undefined. */
export async function builtInputs(folder: string): Promise<unknown> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => '{}');
  return JSON.parse(text).inputs;
}

/** Runs after new files are written and before old ones are deleted, so that the manifest never names a missing file. */
async function publishManifest(folder: string, manifest: SiteManifest): Promise<void> {
  const path = join(folder, MANIFEST);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    await writeFile(`${path}.next`, text);
    await rename(`${path}.next`, path);
  }
  const kept = new Set([
    MANIFEST,
    ...Object.keys(manifest.files).flatMap((name) => [name, `${name}.br`, `${name}.gz`]),
  ]);
  const stale = (await readdir(folder)).filter((name) => !kept.has(name));
  await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
