import { z } from 'zod';

export const idempotencyKeyField = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
  .describe(
    'Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body ' +
      'returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.',
  );
