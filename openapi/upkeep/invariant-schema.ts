import { z } from 'zod';
import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';
import { instantField } from '../definitions/fields.ts';

// `Object.keys` loses the type of the keys.
const rules = Object.keys(invariantRules) as [InvariantRule, ...InvariantRule[]];

export const invariantsSchema = z
  .strictObject({
    lastRun: z
      .strictObject({
        startedAt: instantField,
        endedAt: instantField,
        eventCount: z.int().meta({ description: 'Checked events.' }),
        deliveryCount: z.int().meta({ description: 'Checked deliveries, in addition to all waiting ones.' }),
      })
      .nullable()
      .meta({ description: 'Null before the first check.' }),
    rules: z
      .array(
        z
          .strictObject({
            rule: z.enum(rules),
            description: z.string().meta({ description: 'Describes a violation.' }),
            count: z.int().meta({ description: 'Number of violations.' }),
            samples: z.array(z.string()).meta({
              description: 'Some affected events, deliveries, replays or containers by id, or destinations by name.',
            }),
          })
          .meta({ id: 'InvariantRule' }),
      )
      .meta({ description: 'All rules; empty before the first check.' }),
  })
  .meta({ id: 'Invariants' });
