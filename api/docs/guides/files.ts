import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { z } from 'zod';

const manifestSchema = z.object({
  /** Name of the folder with the files. */
  inputs: z.string().regex(/^[0-9a-f]{16}$/),
  /** True for files with marks for addresses. */
  files: z.record(z.string(), z.boolean()),
});
type Manifest = z.output<typeof manifestSchema>;

const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

export interface GuideFile {
  readonly body: Buffer;
  readonly type: string;
  readonly encoding: Encoding | null;
  readonly etag: string;
  /** True if the name changes with the content. */
  readonly isImmutable: boolean;
}

export interface GuideFiles {
  readonly isBuilt: () => boolean;
  readonly has: (name: string) => boolean;
  readonly file: (name: string, accepts: (encoding: Encoding) => boolean) => Promise<GuideFile | undefined>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
/** Compression does not reduce smaller files. */
const MIN_COMPRESSED_BYTES = 256;
/** Halves the size of gzip's answer in a tenth of the best quality's time. */
const BROTLI_QUALITY = 6;

interface Sources {
  readonly folder: string;
  readonly fill: (text: string) => string;
}

/** Fills and compresses each file when it is first asked for. A new build takes effect without a restart. */
export function guideFiles({ folder, fill }: Sources): GuideFiles {
  const path = join(folder, 'manifest.json');
  let known: { readonly mtimeMs: number; readonly manifest: Manifest } | undefined;
  const kept = new Map<string, Promise<GuideFile>>();

  function manifest(): Manifest | undefined {
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return undefined;
    if (known?.mtimeMs !== mtimeMs) {
      known = { mtimeMs, manifest: manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) };
      kept.clear();
    }
    return known.manifest;
  }

  const has = (name: string): boolean => Object.hasOwn(manifest()?.files ?? {}, name);
  return {
    isBuilt: () => manifest() !== undefined,
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

async function prepare({ name, path, encoding, fill }: Wanted): Promise<GuideFile> {
  const read = await readFile(path);
  const content = fill ? Buffer.from(fill(read.toString('utf8'))) : read;
  const used = content.length < MIN_COMPRESSED_BYTES ? null : encoding;
  const body = await compressed(content, used);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const isImmutable = name.startsWith('assets/') && fill === null;
  return { body, type: types[extname(name)] ?? 'application/octet-stream', encoding: used, etag, isImmutable };
}

async function compressed(content: Buffer, encoding: Encoding | null): Promise<Buffer> {
  if (encoding === 'br') {
    return await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  }
  return encoding === 'gzip' ? await promisify(gzip)(content) : content;
}
