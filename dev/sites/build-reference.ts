import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtInputs, buildSite, type BuiltSite } from './build-site.ts';
import { hashFiles, listFiles } from './hash-files.ts';
import { renderer } from './renderer.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(import.meta.dirname, 'reference');
const RENDERER = join(ROOT, 'node_modules/@scalar/fastify-api-reference');
/** The highest quality takes ten seconds and saves a tenth of the bytes. */
const QUALITY = 9;

/**
 * Builds the page of the API reference, unless the folder has it already. Its document comes from the running API.
 * Returns its size, or undefined if nothing changed.
 */
export async function buildReference({ folder = join(ROOT, 'dist/reference') } = {}): Promise<BuiltSite | undefined> {
  const inputs = await hashInputs();
  if ((await builtInputs(folder)) === inputs) return undefined;
  if (!existsSync(RENDERER))
    throw new Error('The renderer of the API reference is a development package. Run `npm ci`.');
  return await buildSite({
    folder: SOURCE,
    script: 'main.ts',
    style: 'style.css',
    icon: '../../../dashboard/icon.svg',
    outdir: folder,
    inputs,
    quality: QUALITY,
    plugins: [renderer()],
  });
}

async function hashInputs(): Promise<string> {
  const folders = await Promise.all(
    ['dev/sites/reference', 'dev/sites'].map((folder) => listFiles(ROOT, folder, { isDeep: false })),
  );
  return await hashFiles(ROOT, [
    'package-lock.json',
    'dashboard/icon.svg',
    'dashboard/style/tokens.css',
    ...folders.flat(),
  ]);
}
