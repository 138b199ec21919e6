import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';

const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

const manifestSchema = z.object({
  script: z.string(),
  theme: z.string().optional(),
  style: z.string(),
  icon: z.string(),
  preload: z.array(z.string()),
  files: z.record(z.string(), z.array(z.enum(encodings))),
});
export type DashboardManifest = z.output<typeof manifestSchema>;

export interface DashboardAsset {
  readonly body: Buffer;
  readonly type: string;
  readonly encoding: Encoding | null;
  readonly etag: string;
}

export interface DashboardFiles {
  readonly manifest: () => DashboardManifest | undefined;
  readonly asset: (name: string, accepts: (encoding: Encoding) => boolean) => Promise<DashboardAsset | undefined>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** A new build takes effect without a restart. */
export function dashboardFiles(folder: string): DashboardFiles {
  const path = join(folder, 'manifest.json');
  let known: { readonly mtimeMs: number; readonly manifest: DashboardManifest } | undefined;
  const kept = new Map<string, DashboardAsset>();

  function manifest(): DashboardManifest | undefined {
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return undefined;
    if (known?.mtimeMs !== mtimeMs) {
      known = { mtimeMs, manifest: manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) };
      kept.clear();
    }
    return known.manifest;
  }

  return {
    manifest,
    async asset(name, accepts) {
      const { files = {} } = manifest() ?? {};
      const offered = Object.hasOwn(files, name) ? files[name] : undefined;
      if (!offered) return undefined;
      const encoding = offered.find(accepts) ?? null;
      const file = encoding === null ? name : name + suffixes[encoding];
      const asset = kept.get(file) ?? (await readAsset(folder, { name, file, encoding }));
      kept.set(file, asset);
      return asset;
    },
  };
}

interface NamedFile {
  readonly name: string;
  readonly file: string;
  readonly encoding: Encoding | null;
}

async function readAsset(folder: string, { name, file, encoding }: NamedFile): Promise<DashboardAsset> {
  const body = await readFile(join(folder, file));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, type: types[extname(name)] ?? 'application/octet-stream', encoding, etag };
}
