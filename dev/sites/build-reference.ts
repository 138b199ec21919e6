import { join } from 'node:path';
import { adaptRenderer } from './adapt-renderer.ts';
import { builtInputs, buildSite } from './build-site.ts';
import { hashFiles } from './hash-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'reference');
/** The highest quality takes ten seconds and saves a tenth of the bytes. */
const QUALITY = 9;

/**
 * Builds the page of the API reference, unless the folder has it already. Its document comes from the running API.
 * Returns the bytes of a first visit with gzip, or undefined if nothing changed.
 */
export async function buildReference({ folder = join(SOURCE, 'dist') } = {}): Promise<number | undefined> {
  const inputs = await hashFiles(ROOT, inputFiles);
  if ((await builtInputs(folder)) === inputs) return undefined;
  const { firstLoadBytes } = await buildSite({
    folder: SOURCE,
    script: 'main.ts',
    style: 'style.css',
    icon: '../dashboard/icon.svg',
    outdir: folder,
    inputs,
    quality: QUALITY,
    options: {
      plugins: [adaptRenderer()],
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
  });
  return firstLoadBytes;
}

const inputFiles = [
  'package-lock.json',
  'dashboard/icon.svg',
  'dashboard/style/tokens.css',
  'reference/main.ts',
  'reference/style.css',
  'dev/sites/adapt-renderer.ts',
  'dev/sites/build-reference.ts',
  'dev/sites/build-site.ts',
];

if (import.meta.main) {
  const bytes = await buildReference();
  const size = bytes === undefined ? '' : `${(bytes / 1000).toFixed(1)} kB for a first visit, gzipped.`;
  console.log(bytes === undefined ? 'The API reference is up to date.' : `Built the API reference: ${size}`);
}
