import { z } from 'zod';

/** A missing or malformed field becomes null, so that the others stay usable. */
export const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

export const count = z
  .int()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

export const flag = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** The platform writes some ids as numbers. */
export const id = z.union([z.string().min(1), z.int().transform(String)]);

export const optionalId = id
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** Shown as a link, so anything but a URL becomes null. */
export const link = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** Permissions decide which fields the platform shows. */
export const author = z
  .object({ id: optionalId, name: text, username: text })
  .nullish()
  .catch(null)
  .transform((value) => value ?? { id: null, name: null, username: null });

/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const MAX_SECONDS = 1e11;

/** Accepts seconds, milliseconds, and ISO 8601 with an offset without a colon. Returns ISO 8601 in UTC, or null. */
export const instant = z
  .unknown()
  .nullish()
  .transform((value) => instantOf(value));

export function instantOf(value: unknown): string | null {
  if (typeof value === 'string' && /^\d{1,16}$/.test(value)) return instantOf(Number(value));
  if (typeof value === 'number') return isoOf(new Date(value < MAX_SECONDS ? value * 1000 : value));
  if (typeof value !== 'string') return null;
  return isoOf(new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')));
}

function isoOf(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

export const success = z.object({ success: z.literal(true) });
