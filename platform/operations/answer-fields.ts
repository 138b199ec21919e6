import { z } from 'zod';

/** Fields of the platform's answers. One of another type, or none, is null: the rest of the answer is still good. */
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

/** An id is a text even where the platform writes a number. */
export const id = z.union([z.string().min(1), z.int().transform(String)]);

export const optionalId = id
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** Shown as a link, so it is one or nothing. */
export const link = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** Who wrote something; what of it the platform shows depends on the permissions. */
export const author = z
  .object({ id: optionalId, name: text, username: text })
  .nullish()
  .catch(null)
  .transform((value) => value ?? { id: null, name: null, username: null });

/** Above, a number counts milliseconds: as seconds it would be the year 5138. */
const MAX_SECONDS = 1e11;

/**
 * An instant as an ISO text in UTC. The platform writes seconds as a number or as text, milliseconds, and ISO 8601
 * without the colon in its offset; what is none of these is null.
 */
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
