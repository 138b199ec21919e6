import { z } from 'zod';

export const healthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    database: z.enum(['ok', 'unreachable', 'not_migrated']),
    temporal: z
      .enum(['ok', 'unreachable'])
      .meta({ description: 'For information: events are accepted even if it is unreachable.' }),
  })
  .meta({ id: 'Readiness' });
export type ReadinessBody = z.output<typeof readinessSchema>;
