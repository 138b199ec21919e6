import { z } from 'zod';

export const idempotencyKeyField = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/)
  .meta({
    description:
      'Chosen by the caller for one act, 1 to 255 printable ASCII characters: a repeat with the same key and body is ' +
      'answered as the first was.',
  });
