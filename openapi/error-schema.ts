import { z } from 'zod';

/** Open for codes and fields that are added later, as generated clients must be. */
export const errorSchema = z
  .looseObject({
    statusCode: z.int().min(400).max(599).meta({ description: 'Equal to the status of the response.' }),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/)
      .meta({ description: 'Stable and machine-readable. Codes may be added. Each operation names its own.' }),
    message: z.string().meta({ description: 'Says what is wrong and what to do next. Its text may change.' }),
    requestId: z.string().meta({ description: 'Quote it when you contact support.' }),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });
