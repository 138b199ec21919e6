import { z } from 'zod';
import { type InvariantRule, invariantRules } from '../../contract/upkeep/invariants.ts';
import { instantField, namedObject } from '../definitions/fields.ts';

// `Object.keys` loses the type of the keys.
const rules = Object.keys(invariantRules) as [InvariantRule, ...InvariantRule[]];

export const invariantsSchema = namedObject('Invariants', {
  lastRun: z
    .strictObject({
      startedAt: instantField,
      endedAt: instantField,
      eventCount: z.int().describe('Checked events.'),
      deliveryCount: z.int().describe('Checked deliveries, in addition to all waiting ones.'),
    })
    .nullable()
    .describe('Null before the first check.'),
  rules: z
    .array(
      namedObject('InvariantRule', {
        rule: z.enum(rules),
        description: z.string().describe('Describes a violation.'),
        count: z.int().describe('Number of violations.'),
        samples: z
          .array(z.string())
          .describe('Some affected events, deliveries, replays or containers by id, or destinations by name.'),
      }),
    )
    .describe('All rules; empty before the first check.'),
});
