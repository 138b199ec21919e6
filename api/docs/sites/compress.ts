import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Content encodings, the smallest first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

export interface EncodedBody {
  readonly body: Buffer;
  readonly encoding: Encoding | null;
  readonly etag: string;
}

/** Higher qualities take seconds of a start for a few bytes. */
const QUALITY = 5;

export function compress(encoding: Encoding, content: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(content);
  return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
}

/** Returns a strong entity tag of a body as it is sent. */
export function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

interface CompressedText {
  readonly encodedFor: (accepts: (encoding: Encoding) => boolean) => Promise<EncodedBody>;
}

/** Reads and compresses a text that never changes on the first request for each encoding. */
export function compressText(text: () => string): CompressedText {
  const made = new Map<Encoding | null, Promise<EncodedBody>>();
  const encode = async (encoding: Encoding | null): Promise<EncodedBody> => {
    const plain = Buffer.from(text());
    const body = encoding === null ? plain : await compress(encoding, plain);
    return { body, encoding, etag: etagOf(body) };
  };
  return {
    async encodedFor(accepts) {
      const encoding = encodings.find(accepts) ?? null;
      const known = made.get(encoding) ?? encode(encoding);
      made.set(encoding, known);
      return await known;
    },
  };
}
