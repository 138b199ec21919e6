import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const SOURCE = join(import.meta.dirname, '../dashboard');
const DEFAULT_FOLDER = join(SOURCE, 'dist');
const MANIFEST = 'manifest.json';
/** Compression does not reduce smaller files. */
const MIN_COMPRESSED_BYTES = 256;

interface DashboardManifest {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  readonly preload: readonly string[];
  readonly files: Readonly<Record<string, readonly ('br' | 'gzip')[]>>;
}

export interface BuiltDashboard {
  readonly folder: string;
  readonly firstLoadBytes: number;
  readonly totalBytes: number;
}

/** Built files have a content hash in their name, so that browsers can cache them forever. */
export async function buildDashboard({ folder = DEFAULT_FOLDER } = {}): Promise<BuiltDashboard> {
  await mkdir(folder, { recursive: true });
  const { outputFiles, metafile } = await build({
    entryPoints: [
      { in: join(SOURCE, 'main.tsx'), out: 'main' },
      { in: join(SOURCE, 'style.css'), out: 'style' },
      { in: join(SOURCE, 'icon.svg'), out: 'icon' },
    ],
    absWorkingDir: SOURCE,
    outdir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: ['es2023'],
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const compressed = new Map<string, CompressedFile>();
  await Promise.all(
    outputFiles.map(async ({ path, contents }) => {
      const name = relative(folder, path);
      compressed.set(name, await writeCompressed(join(folder, name), contents));
    }),
  );
  const manifest = manifestOf({ metafile, folder, compressed });
  await publishManifest(folder, manifest);
  const sizeOf = (name: string): number => compressed.get(name)?.smallestBytes ?? 0;
  return {
    folder,
    firstLoadBytes: sum([manifest.script, manifest.style, ...manifest.preload].map(sizeOf)),
    totalBytes: sum([...compressed.keys()].map(sizeOf)),
  };
}

interface CompressedFile {
  readonly encodings: readonly ('br' | 'gzip')[];
  readonly smallestBytes: number;
}

async function writeCompressed(path: string, contents: Uint8Array): Promise<CompressedFile> {
  await writeFile(path, contents);
  if (contents.length < MIN_COMPRESSED_BYTES || !/^\.(?:js|css|svg)$/.test(extname(path))) {
    return { encodings: [], smallestBytes: contents.length };
  }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } }),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
  return { encodings: ['br', 'gzip'], smallestBytes: gz.length };
}

interface Built {
  readonly metafile: Metafile;
  readonly folder: string;
  readonly compressed: ReadonlyMap<string, CompressedFile>;
}

function manifestOf({ metafile, folder, compressed }: Built): DashboardManifest {
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => {
    return { name: relative(folder, join(SOURCE, path)), ...output };
  });
  const nameOf = (source: string): string => {
    const found = outputs.find(({ name, inputs, entryPoint }) => {
      return entryPoint === source || (name.startsWith('icon-') && source in inputs);
    });
    if (!found) throw new Error(`The build has no output for ${source}`);
    return found.name;
  };
  const script = nameOf('main.tsx');
  return {
    script,
    style: nameOf('style.css'),
    icon: nameOf('icon.svg'),
    preload: staticImports(metafile, { folder, script }),
    files: Object.fromEntries([...compressed].map(([name, { encodings }]) => [name, encodings])),
  };
}

function staticImports({ outputs }: Metafile, { folder, script }: { folder: string; script: string }): string[] {
  const keyOf = (name: string): string => relative(SOURCE, join(folder, name));
  const found = new Set<string>();
  const visit = (key: string): void => {
    for (const { path, kind } of outputs[key]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit(keyOf(script));
  return [...found].map((path) => relative(folder, join(SOURCE, path)));
}

/** Runs after new files are written and before old ones are deleted, so that the manifest never names a missing file. */
async function publishManifest(folder: string, manifest: DashboardManifest): Promise<void> {
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

if (import.meta.main) {
  const { firstLoadBytes, totalBytes } = await buildDashboard();
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(
    `Built the dashboard: ${kilobytes(firstLoadBytes)} for a first visit, ${kilobytes(totalBytes)} in total, gzipped.`,
  );
}
