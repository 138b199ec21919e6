import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { compress, type Encoding, encodings, etagOf } from '../sites/compress.ts';
import { manifestReader } from '../sites/manifest.ts';
import type { SiteFile } from '../sites/site-files.ts';

/** In the form of a content security policy. */
const hash = z.string().regex(/^sha256-[\w+/=]+$/);
const manifestSchema = z.object({
  /** Name of the folder with the files. */
  inputs: z.string().regex(/^[0-9a-f]{16}$/),
  scripts: z.array(hash),
  styles: z.array(hash),
  /** True for files with marks for addresses. */
  files: z.record(z.string(), z.boolean()),
});

export interface GuideFiles {
  /** Undefined if the guides are not built. */
  readonly manifest: () => z.output<typeof manifestSchema> | undefined;
  readonly has: (name: string) => boolean;
  readonly file: (name: string, accepts: (encoding: Encoding) => boolean) => Promise<SiteFile | undefined>;
}

/** Compression does not reduce smaller files. */
const MIN_COMPRESSED_BYTES = 256;

interface Sources {
  readonly folder: string;
  readonly fill: (text: string) => string;
}

/** Fills and compresses each file when it is first asked for. */
export function guideFiles({ folder, fill }: Sources): GuideFiles {
  const kept = new Map<string, Promise<SiteFile>>();
  const manifest = manifestReader({ folder, schema: manifestSchema, onChange: () => kept.clear() });
  const has = (name: string): boolean => Object.hasOwn(manifest()?.files ?? {}, name);
  return {
    manifest,
    has,
    async file(name, accepts) {
      const site = manifest();
      if (!site || !has(name)) return undefined;
      const encoding = name.endsWith('.png') ? null : (encodings.find(accepts) ?? null);
      const key = `${encoding ?? 'identity'} ${name}`;
      const file =
        kept.get(key) ??
        prepare({ name, path: join(folder, site.inputs, name), encoding, fill: site.files[name] ? fill : null });
      kept.set(key, file);
      file.catch(() => kept.delete(key));
      return await file;
    },
  };
}

interface Wanted {
  readonly name: string;
  readonly path: string;
  readonly encoding: Encoding | null;
  readonly fill: ((text: string) => string) | null;
}

async function prepare({ name, path, encoding, fill }: Wanted): Promise<SiteFile> {
  const read = await readFile(path);
  const content = fill ? Buffer.from(fill(read.toString('utf8'))) : read;
  const used = content.length < MIN_COMPRESSED_BYTES ? null : encoding;
  const body = used === null ? content : await compress(used, content);
  const isImmutable = name.startsWith('assets/') && fill === null;
  return { body, type: extname(name), encoding: used, etag: etagOf(body), isImmutable };
}
