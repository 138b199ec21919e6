import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { type EncodedBody, type Encoding, encodings, etagOf } from './compress.ts';
import { manifestReader } from './manifest.ts';

const manifestSchema = z.object({
  script: z.string(),
  theme: z.string().optional(),
  style: z.string(),
  icon: z.string(),
  preload: z.array(z.string()),
  files: z.record(z.string(), z.array(z.enum(encodings))),
});
export type SiteManifest = z.output<typeof manifestSchema>;

export interface SiteFile extends EncodedBody {
  /** As a file name ends. */
  readonly type: string;
  /** True if the name changes with the content. */
  readonly isImmutable: boolean;
}

export interface SiteFiles {
  readonly manifest: () => SiteManifest | undefined;
  readonly asset: (name: string, accepts: (encoding: Encoding) => boolean) => Promise<SiteFile | undefined>;
}

const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Reads the files of a site that `dev/sites/build-site.ts` built and compressed. */
export function siteFiles(folder: string): SiteFiles {
  const kept = new Map<string, SiteFile>();
  const manifest = manifestReader({ folder, schema: manifestSchema, onChange: () => kept.clear() });
  return {
    manifest,
    async asset(name, accepts) {
      const { files = {} } = manifest() ?? {};
      const offered = Object.hasOwn(files, name) ? files[name] : undefined;
      if (!offered) return undefined;
      const encoding = offered.find(accepts) ?? null;
      const file = encoding === null ? name : name + suffixes[encoding];
      const asset = kept.get(file) ?? (await readAsset(join(folder, file), { type: extname(name), encoding }));
      kept.set(file, asset);
      return asset;
    },
  };
}

/** Each name changes with the content. */
async function readAsset(path: string, of: Pick<SiteFile, 'type' | 'encoding'>): Promise<SiteFile> {
  const body = await readFile(path);
  return { ...of, body, etag: etagOf(body), isImmutable: true };
}
