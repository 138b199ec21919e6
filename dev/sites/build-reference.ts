import { join } from 'node:path';
import { builtInputs, buildSite, type BuiltSite } from './build-site.ts';
import { hashFiles, listFiles } from './hash-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(import.meta.dirname, 'reference');

/**
 * Builds script and style of the API reference, unless the folder has them already. The running API writes its pages.
 * Returns its size, or undefined if nothing changed.
 */
export async function buildReference({ folder = join(ROOT, 'dist/reference') } = {}): Promise<BuiltSite | undefined> {
  const inputs = await hashInputs();
  if ((await builtInputs(folder)) === inputs) return undefined;
  return await buildSite({
    folder: SOURCE,
    script: 'main.ts',
    style: 'style.css',
    icon: '../../../dashboard/icon.svg',
    theme: '../../../dashboard/theme.ts',
    outdir: folder,
    inputs,
  });
}

async function hashInputs(): Promise<string> {
  const folders = await Promise.all(
    ['dev/sites/reference', 'dev/sites'].map((folder) => listFiles(ROOT, folder, { isDeep: false })),
  );
  return await hashFiles(ROOT, [
    'dashboard/icon.svg',
    'dashboard/style/tokens.css',
    'dashboard/theme.ts',
    ...folders.flat(),
  ]);
}
