import { join } from 'node:path';
import { builtInputs, buildSite, type BuiltSite } from './build-site.ts';
import { hashFiles, listFiles } from './hash-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'dashboard');

/** Builds the dashboard, unless the folder has it already. Returns its size, or undefined if nothing changed. */
export async function buildDashboard({ folder = join(SOURCE, 'dist') } = {}): Promise<BuiltSite | undefined> {
  const inputs = await hashInputs();
  if ((await builtInputs(folder)) === inputs) return undefined;
  return await buildSite({
    folder: SOURCE,
    script: 'main.tsx',
    style: 'style.css',
    icon: 'icon.svg',
    theme: 'theme.ts',
    mergesParts: true,
    outdir: folder,
    inputs,
  });
}

async function hashInputs(): Promise<string> {
  const folders = await Promise.all(
    ['client', 'contract', 'dashboard', 'dev/sites'].map((folder) => listFiles(ROOT, folder, { isDeep: true })),
  );
  const sources = folders.flat().filter((path) => !path.startsWith(join('dashboard', 'dist')));
  return await hashFiles(ROOT, ['package-lock.json', ...sources]);
}
