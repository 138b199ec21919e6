import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type BuildOptions } from 'esbuild';
import { writeClientTypes } from '../checks/client-types.ts';
import { projectRoot } from '../checks/source-files.ts';

const TSC = join(projectRoot, 'node_modules/.bin/tsc');
/** The oldest Node that the packages' `engines` allow. */
const TARGET = 'node20.10';
/** Runs after the imports, which older versions have too. */
const nodeCheck =
  "{ const [major, minor] = process.versions.node.split('.').map(Number);" +
  'if (major < 20 || (major === 20 && minor < 10)) {' +
  "process.stderr.write('channels needs Node 20.10 or later; this is ' + process.versions.node + '.\\n'); process.exit(1); } }";

/** Packages whose types appear in the types of the client. They are copied, so that the client has no dependencies. */
const copiedTypes = ['openapi-fetch', 'openapi-typescript-helpers'] as const;

const options = {
  cli: {
    entryPoints: { channels: 'cli/main.ts' },
    platform: 'node',
    // What few commands need stays in files of its own, which the others don't load.
    splitting: true,
    banner: { js: `#!/usr/bin/env node\n${nodeCheck}` },
  },
  client: { entryPoints: { index: 'client/index.ts' }, platform: 'neutral', mainFields: ['module', 'main'] },
} as const satisfies Record<string, BuildOptions>;

export type PackageName = keyof typeof options;
export const packageNames = Object.keys(options) as readonly PackageName[];

export interface BuiltPackage {
  /** Installed packages whose code or types the built package contains. */
  readonly bundled: readonly string[];
}

/** Builds `dev/packages/<name>/dist`. It contains the code of its dependencies: installing it needs no other package. */
export async function buildPackage(name: PackageName): Promise<BuiltPackage> {
  const outdir = join(projectRoot, 'dev/packages', name, 'dist');
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    ...options[name],
    absWorkingDir: projectRoot,
    // Without it, the output would depend on where node_modules is.
    preserveSymlinks: true,
    outdir,
    bundle: true,
    format: 'esm',
    target: TARGET,
    // Not minified, so that stack traces can be read.
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  });
  const bundled = new Set(packagesOf(Object.keys(metafile.inputs)));
  if (name === 'client') for (const one of copiedTypes) bundled.add(one);
  const names = [...bundled].sort();
  if (name === 'cli') await chmod(join(outdir, 'channels.js'), 0o755);
  else await writeTypes(outdir);
  await writeFile(join(outdir, 'THIRD-PARTY-LICENSES.txt'), await licenseTexts(names));
  return { bundled: names };
}

function packagesOf(inputs: readonly string[]): string[] {
  const names = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return names.filter((name) => name !== undefined);
}

async function writeTypes(outdir: string): Promise<void> {
  await writeClientTypes();
  await promisify(execFile)(TSC, ['-p', join(projectRoot, 'dev/packages/client')]).catch((error: unknown) => {
    // tsc prints its findings to standard output.
    const found = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`tsc cannot write the client's types.\n${found}`, { cause: error });
  });
  for (const name of copiedTypes) {
    const from = join(projectRoot, 'node_modules', name, 'dist/index.d.mts');
    await copyFile(from, join(outdir, `${name}.d.ts`));
  }
  const files = (await readdir(outdir)).filter((file) => file.endsWith('.d.ts'));
  for (const file of files) {
    const path = join(outdir, file);
    await writeFile(path, withOwnSpecifiers(await readFile(path, 'utf8')));
  }
}

/** Names compiled files (`./errors.js`), and the copies of other packages' types. */
function withOwnSpecifiers(text: string): string {
  return text.replace(/(?<=\bfrom ')[\w./-]+(?=')/g, (specifier) => {
    if (copiedTypes.some((name) => name === specifier)) return `./${specifier}.js`;
    return specifier.replace(/\.ts$/, '.js');
  });
}

/** Returns the licenses of the given installed packages, which must accompany copies of their code. */
async function licenseTexts(names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map(licenseText));
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

async function licenseText(name: string): Promise<string> {
  const folder = join(projectRoot, 'node_modules', name);
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = (await readdir(folder)).find((one) => /^licen[cs]e(?:\.\w+)?$/i.test(one));
  if (!file) throw new Error(`${name} has no license file. Find its license before you bundle it.`);
  const text = await readFile(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

if (import.meta.main) {
  const name = packageNames.find((one) => one === process.argv[2]);
  if (!name) throw new Error(`Usage: build-package.ts ${packageNames.join('|')}`);
  await buildPackage(name);
}
