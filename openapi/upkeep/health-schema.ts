import { z } from 'zod';
import { namedObject } from '../definitions/fields.ts';

export const healthSchema = namedObject('Health', { status: z.literal('ok') });

export const readinessSchema = namedObject('Readiness', {
  status: z.enum(['ready', 'not_ready']),
  database: z.enum(['ok', 'unreachable', 'not_migrated']),
  temporal: z
    .enum(['ok', 'unreachable', 'refused', 'namespace_missing', 'namespace_foreign'])
    .describe(
      'For information: events are accepted in every state. `refused`: the server does not accept the credential. `namespace_foreign`: the namespace belongs to another installation. At most five seconds old.',
    ),
});
export type ReadinessBody = z.output<typeof readinessSchema>;
