import { join } from 'node:path';
import { buildSite, type BuiltSite } from './build-site.ts';

const SOURCE = join(import.meta.dirname, '../../dashboard');

export async function buildDashboard({ folder = join(SOURCE, 'dist') } = {}): Promise<BuiltSite> {
  return await buildSite({
    folder: SOURCE,
    script: 'main.tsx',
    style: 'style.css',
    icon: 'icon.svg',
    theme: 'theme.ts',
    outdir: folder,
  });
}

if (import.meta.main) {
  const { firstLoadBytes, totalBytes } = await buildDashboard();
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(
    `Built the dashboard: ${kilobytes(firstLoadBytes)} for a first visit, ${kilobytes(totalBytes)} in total, gzipped.`,
  );
}
