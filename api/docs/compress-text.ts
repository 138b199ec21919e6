import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { EncodedBody } from './dashboard/send-asset.ts';

interface CompressedText {
  readonly encodedFor: (accepts: (encoding: 'br' | 'gzip') => boolean) => Promise<EncodedBody>;
}

/** Higher qualities take seconds of a start for a few bytes. */
const QUALITY = 5;

/** Compresses a text that never changes on the first request for each encoding. */
export function compressText(text: string): CompressedText {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const made = new Map<string, Promise<Buffer>>();
  const once = (encoding: 'br' | 'gzip'): Promise<Buffer> => {
    const known = made.get(encoding) ?? compress(encoding, plain);
    made.set(encoding, known);
    return known;
  };
  return {
    encodedFor: async (accepts) => {
      const encoding = (['br', 'gzip'] as const).find(accepts) ?? null;
      const body = encoding === null ? plain : await once(encoding);
      return { body, encoding, etag: `"${digest}-${encoding ?? 'plain'}"` };
    },
  };
}

function compress(encoding: 'br' | 'gzip', plain: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(plain);
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
}
