import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';

/** The build writes it last, so that it never names a missing file. */
const MANIFEST = 'manifest.json';

interface ManifestOptions<Manifest> {
  readonly folder: string;
  readonly schema: z.ZodType<Manifest>;
  readonly onChange: () => void;
}

/** Returns a function that returns a site's manifest, or undefined if the site is not built. A new build takes effect without a restart. */
export function manifestReader<Manifest>({ folder, schema, onChange }: ManifestOptions<Manifest>) {
  const path = join(folder, MANIFEST);
  let known: { readonly mtimeMs: number; readonly manifest: Manifest } | undefined;
  return (): Manifest | undefined => {
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return undefined;
    if (known?.mtimeMs !== mtimeMs) {
      known = { mtimeMs, manifest: schema.parse(JSON.parse(readFileSync(path, 'utf8'))) };
      onChange();
    }
    return known.manifest;
  };
}
