import { z } from 'zod';
import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';
import { instantField } from '../definitions/fields.ts';

// The keys are those of the table, which no type can follow through `Object.keys`.
const rules = Object.keys(invariantRules) as [InvariantRule, ...InvariantRule[]];

export const invariantsSchema = z
  .strictObject({
    lastRun: z
      .strictObject({
        startedAt: instantField,
        endedAt: instantField,
        eventCount: z.int().meta({ description: 'Events that were looked at.' }),
        deliveryCount: z.int().meta({ description: 'Deliveries that were looked at, besides all that wait.' }),
      })
      .nullable()
      .meta({ description: 'Null where there was no check yet.' }),
    rules: z
      .array(
        z
          .strictObject({
            rule: z.enum(rules),
            description: z.string().meta({ description: 'What is wrong where it is broken.' }),
            count: z.int().meta({ description: 'How often it is broken; 0 is good.' }),
            samples: z.array(z.string()).meta({
              description:
                'Ids of a few of them: of events, deliveries, replays or containers, or a destination by name.',
            }),
          })
          .meta({ id: 'InvariantRule' }),
      )
      .meta({ description: 'Every rule; none where there was no check yet.' }),
  })
  .meta({ id: 'Invariants' });
