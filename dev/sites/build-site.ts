import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { type Bundle, bundleScripts, importedBy } from './bundle-scripts.ts';

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
  readonly plugins?: BuildOptions['plugins'];
}

/** Builds a site with scripts. Files have a content hash in their name, so that browsers can cache them forever. */
export async function buildSite(source: SiteSource): Promise<BuiltSite> {
  const { outdir: folder, quality = constants.BROTLI_MAX_QUALITY } = source;
  await mkdir(folder, { recursive: true });
  const { files, ...bundled } = await bundle(source);
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

interface Bundled
  extends Pick<Bundle, 'files'>, Pick<SiteManifest, 'script' | 'theme' | 'style' | 'icon' | 'preload'> {}

async function bundle(source: SiteSource): Promise<Bundled> {
  const { folder, script, style, icon, theme, mergesParts = false } = source;
  const assets = { style: join(folder, style), icon: join(folder, icon) };
  const scripts = { main: join(folder, script), ...(theme !== undefined && { theme: join(folder, theme) }) };
  const bundles = mergesParts
    ? await Promise.all([bundleFiles(source, assets), bundleScripts(scripts)])
    : [await bundleFiles(source, { ...assets, ...scripts })];
  const names = new Map(bundles.flatMap(({ entries }) => Object.entries(entries)));
  const nameOf = (entry: string): string => {
    const name = names.get(entry);
    if (!name) throw new Error(`The build has no output for ${entry}`);
    return name;
  };
  return {
    script: nameOf('main'),
    theme: theme && nameOf('theme'),
    style: nameOf('style'),
    icon: nameOf('icon'),
    preload: bundles.flatMap(({ preload }) => preload),
    files: bundles.flatMap(({ files }) => files),
  };
}

/** Bundles entries of any type with esbuild. */
async function bundleFiles(source: SiteSource, entries: Readonly<Record<string, string>>): Promise<Bundle> {
  const { folder, outdir, plugins } = source;
  const { outputFiles, metafile } = await build({
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
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
    ...(plugins && { plugins }),
    loader: { '.svg': 'copy', '.woff2': 'file' },
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const nameOf = (path: string): string => relative(outdir, join(folder, path));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output]));
  const named = new Map(
    Object.keys(entries).map((entry) => {
      return [entry, [...outputs.keys()].find((name) => name.startsWith(`${entry}-`)) ?? ''];
    }),
  );
  const importsOf = (name: string): string[] => {
    const imports = outputs.get(name)?.imports ?? [];
    // A script that is a file is loaded by its address.
    return imports
      .filter(({ kind }) => kind === 'import-statement' || kind === 'file-loader')
      .map(({ path }) => nameOf(path));
  };
  return {
    files: outputFiles.map(({ path, contents }) => ({ name: relative(outdir, path), contents })),
    entries: Object.fromEntries(named),
    preload: importedBy(named.get('main'), importsOf),
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
