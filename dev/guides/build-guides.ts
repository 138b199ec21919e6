import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, relative } from 'node:path';
import { addressMark } from '../../contract/guides.ts';
import { builtInputs } from '../sites/build-site.ts';
import { hashFiles, listFiles } from '../sites/hash-files.ts';
import { stageGuides } from './stage-guides.ts';
import { writeMarkdown } from './write-markdown.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEFAULT_FOLDER = join(ROOT, 'dist/guides');
/** In the project, because the generator resolves packages from there. */
const WORK = join(import.meta.dirname, 'site/.build');
const GENERATOR = join(ROOT, 'node_modules/vitepress/bin/vitepress.js');
const MANIFEST = 'manifest.json';
const marked = /\.(?:html|js|md|txt)$/;

/** Generated, because style sheets of the theme are outside the generator's root. */
const THEME = [
  "import DefaultTheme from 'vitepress/theme-without-fonts';",
  "import './tokens.css';",
  "import '../../../../style.css';",
  'export default { extends: DefaultTheme };',
].join('\n');

interface GuidesManifest {
  /** Hash of everything that the site is built from, and the name of its folder. */
  readonly inputs: string;
  /** Hashes of the scripts and style attributes that the generator writes into pages. The policy allows only these. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Paths of all files. True if the file holds marks for addresses. */
  readonly files: Readonly<Record<string, boolean>>;
}

interface BuildOptions {
  /** Optional. Default: `dist/guides`. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
}

/** Builds the site of the guides unless the folder has it already. Returns true if it built. */
export async function buildGuides({ folder = DEFAULT_FOLDER, signal }: BuildOptions = {}): Promise<boolean> {
  const inputs = await hashInputs();
  if ((await builtInputs(folder)) === inputs) return false;
  if (!existsSync(GENERATOR)) throw new Error('The generator of the guides is a development package. Run `npm ci`.');
  await mkdir(WORK, { recursive: true });
  const work = await mkdtemp(join(WORK, 'run-'));
  try {
    await prepare(work);
    const output = join(work, 'output');
    await runGenerator(work, { output, ...(signal && { signal }) });
    await writeMarkdown({ root: ROOT, pages: join(work, 'pages'), output });
    await publish(folder, { output, inputs });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return true;
}

async function hashInputs(): Promise<string> {
  const folders = ['docs', 'dev/guides', 'dev/guides/site'];
  const listed = await Promise.all(folders.map((name) => listFiles(ROOT, name, { isDeep: name === 'docs' })));
  const manifests = ['shiki', 'vitepress', 'vue'].map((name) => `node_modules/${name}/package.json`);
  const shared = ['contract/guides.ts', 'dashboard/icon.svg', 'dashboard/style/tokens.css'];
  return await hashFiles(ROOT, ['CHANGELOG.md', 'bench/README.md', ...shared, ...manifests, ...listed.flat()]);
}

async function prepare(work: string): Promise<void> {
  await stageGuides({ root: ROOT, folder: work });
  const theme = join(work, '.vitepress/theme');
  const files = join(work, 'pages/public');
  await Promise.all([theme, files].map((path) => mkdir(path, { recursive: true })));
  const tokens = await readFile(join(ROOT, 'dashboard/style/tokens.css'), 'utf8');
  await Promise.all([
    cp(join(ROOT, 'dashboard/icon.svg'), join(files, 'icon.svg')),
    writeFile(join(theme, 'tokens.css'), tokens + schemeRules),
    writeFile(join(theme, 'index.ts'), THEME),
    writeFile(
      join(work, '.vitepress/config.ts'),
      `import { guidesConfig } from '../../../config.ts';\nexport default guidesConfig(${JSON.stringify(work)});\n`,
    ),
  ]);
}

/** The generator names the dark scheme by a class, which a reader can switch. */
const schemeRules = ':root {\n  color-scheme: light;\n}\n\n.dark {\n  color-scheme: dark;\n}\n';

interface Run {
  readonly output: string;
  readonly signal?: AbortSignal;
}

/** A process of its own and of low priority: it needs the processor for seconds, and nothing waits for it. */
async function runGenerator(work: string, { output, signal }: Run): Promise<void> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, [GENERATOR, 'build', work, '--outDir', output], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const lines: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => lines.push(data));
  child.stderr.on('data', (data: Buffer) => lines.push(data));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The guides could not be built.\n${Buffer.concat(lines).toString().trim()}`);
}

/** The manifest changes last, so that it never names a missing file. */
async function publish(folder: string, { output, inputs }: { output: string; inputs: string }): Promise<void> {
  const files = await filesOf(output);
  const site = join(folder, inputs);
  await mkdir(folder, { recursive: true });
  await rm(site, { recursive: true, force: true });
  await rename(output, site).catch(() => cp(output, site, { recursive: true }));
  const manifest: GuidesManifest = { inputs, ...(await inlineHashes(site, Object.keys(files))), files };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, `${MANIFEST}.${process.pid}`), text);
  await rename(join(folder, `${MANIFEST}.${process.pid}`), join(folder, MANIFEST));
  const stale = (await readdir(folder)).filter((name) => name !== MANIFEST && name !== inputs);
  await Promise.all(stale.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

async function inlineHashes(
  site: string,
  names: readonly string[],
): Promise<Pick<GuidesManifest, 'scripts' | 'styles'>> {
  const pages = names.filter((name) => name.endsWith('.html'));
  const html = (await Promise.all(pages.map((name) => readFile(join(site, name), 'utf8')))).join('\n');
  return {
    scripts: hashesOf(html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)),
    styles: hashesOf(html.matchAll(/ style="([^"]*)"/g)),
  };
}

function hashesOf(found: Iterable<RegExpMatchArray>): string[] {
  const texts = [...new Set([...found].map(([, text = '']) => text))].sort();
  return texts.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
}

async function filesOf(output: string): Promise<Record<string, boolean>> {
  const entries = await readdir(output, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    paths.sort().map(async (path): Promise<[string, boolean]> => {
      const hasMarks = marked.test(path) && (await readFile(path, 'utf8')).search(addressMark) >= 0;
      return [relative(output, path), hasMarks];
    }),
  );
  return Object.fromEntries(found.filter(([name]) => name !== 'hashmap.json'));
}
