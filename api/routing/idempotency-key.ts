import type { IncomingMessage } from 'node:http';
import { idempotencyKeyField } from '../../openapi/definitions/idempotency-key.ts';
import { InvalidRequest } from '../requests/errors.ts';

const HEADER = 'Idempotency-Key';

/** The key that the caller gives, null for none; an empty, unprintable or repeated one is refused. */
export function readIdempotencyKey({ headersDistinct }: IncomingMessage): string | null {
  const [key, ...others] = headersDistinct[HEADER.toLowerCase()] ?? [];
  if (key === undefined) return null;
  if (others.length > 0) throw new InvalidRequest(`The header ${HEADER} is given more than once.`);
  if (idempotencyKeyField.safeParse(key).success) return key;
  throw new InvalidRequest(`The header ${HEADER} must be 1 to 255 printable ASCII characters.`);
}
