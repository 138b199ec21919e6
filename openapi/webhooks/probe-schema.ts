import { z } from 'zod';
import { probeNames, probeOutcomes } from '../../contract/webhooks/probe.ts';

/** What came of one of the probes of a save. */
export const webhookProbeSchema = z
  .strictObject({
    probe: z.enum(probeNames).meta({ description: 'Its method; the POST is sent where the GET has passed.' }),
    outcome: z.enum(probeOutcomes).meta({
      description: '`rejected`: the answer was another than the expected one. `no_response`: there was none.',
    }),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer; null where none came.' }),
    durationMs: z.int().min(0).nullable().meta({ description: 'Null for one that was not sent.' }),
    expected: z.string().meta({ description: 'What it asks of the receiver, in words.' }),
    found: z.string().nullable().meta({ description: 'What was wrong, in words; null where nothing was.' }),
    responseBody: z.string().nullable().meta({
      description: 'The first 120 characters of a wrong answer, white space folded and the Verify Token masked.',
    }),
    error: z.string().nullable().meta({ description: 'Why there was no answer.' }),
  })
  .meta({ id: 'WebhookProbe' });
export type WebhookProbeBody = z.output<typeof webhookProbeSchema>;

export const webhookProbesField = z
  .array(webhookProbeSchema)
  .optional()
  .meta({ description: 'What came of each probe, in their order; left out where that is not known.' });
