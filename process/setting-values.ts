import { z } from 'zod';
import { parseCidrs } from '../contract/addresses/classify-address.ts';

/** `admin` stands for its commands, also of the migration's job. */
export type Program = 'api' | 'worker' | 'gateway' | 'admin' | 'simulator';

export interface Setting {
  readonly name: string;
  /** The programs that get it: no other may read it, and the deployment files pass it to no other. */
  readonly readers: readonly Program[];
  /** Optional. `{NAME}` inserts another setting. */
  readonly default?: string;
  readonly description: string;
  readonly secret?: true;
  readonly parse: z.ZodType<unknown, string>;
}

interface EncryptionKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Messages never contain the value, which may be a secret. */
export const text = z.string();
export const list = text.transform((value) => value.split(',').flatMap((item) => item.trim() || []));
export const port = integer(0, 65_535);
export const url = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''));

export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' });

export const scheduleMs = list.pipe(
  z
    .array(z.string().regex(/^\d{1,7}(\.\d{1,3})?$/, 'must be seconds, comma-separated'))
    .min(1, 'must have at least one delay')
    .transform((waits) => waits.map((seconds) => Math.round(Number(seconds) * 1000))),
);
/** More secrets would let one forged webhook cost too much. */
const MAX_SECRETS = 8;
/** At least one. */
export const secrets = list.pipe(
  z
    .array(text)
    .min(1, 'must have at least one secret')
    .max(MAX_SECRETS, `must have at most ${MAX_SECRETS} secrets`)
    .transform(([first = '', ...others]) => [first, ...others] as const),
);
export const keyRing = list.pipe(
  z
    .array(
      z.string().regex(/^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=$/, 'must be id:base64 of 32 bytes, comma-separated'),
    )
    .min(1, 'must have at least one key')
    .transform((items) => items.map(encryptionKeyFrom))
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'must not repeat a key id'),
);

export function integer(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  const digits = z.string().regex(/^\d{1,9}$/, message);
  return digits.transform(Number).refine((value) => value >= min && value <= max, message);
}

export function areCidrs(ranges: readonly string[]): boolean {
  try {
    return parseCidrs(ranges.join(',')).length === ranges.length;
  } catch {
    return false;
  }
}

function encryptionKeyFrom(item: string): EncryptionKey {
  const separator = item.indexOf(':');
  return { id: item.slice(0, separator), bytes: Buffer.from(item.slice(separator + 1), 'base64') };
}
