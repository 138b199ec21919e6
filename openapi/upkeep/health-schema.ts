import { z } from 'zod';

export const healthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    database: z.enum(['ok', 'unreachable', 'not_migrated']),
    temporal: z.enum(['ok', 'unreachable', 'refused', 'namespace_missing', 'namespace_foreign']).meta({
      description:
        'For information: events are accepted in every state. `refused`: the server does not accept the credential. `namespace_foreign`: the namespace belongs to another installation. At most five seconds old.',
    }),
  })
  .meta({ id: 'Readiness' });
export type ReadinessBody = z.output<typeof readinessSchema>;
