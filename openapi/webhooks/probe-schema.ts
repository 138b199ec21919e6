import { z } from 'zod';
import { probeNames, probeOutcomes } from '../../contract/webhooks/probe.ts';

export const webhookProbeSchema = z
  .strictObject({
    probe: z.enum(probeNames).meta({ description: 'The method. The POST is sent only if the GET passed.' }),
    outcome: z.enum(probeOutcomes).meta({
      description: '`rejected`: the response was not the expected one. `no_response`: there was none.',
    }),
    status: z.int().nullable().meta({ description: 'HTTP status of the response; null without a response.' }),
    durationMs: z.int().min(0).nullable().meta({ description: 'Null if the probe was not sent.' }),
    expected: z.string().meta({ description: 'The expected response, in words.' }),
    found: z.string().nullable().meta({ description: 'What was wrong, in words; null if the probe passed.' }),
    responseBody: z.string().nullable().meta({
      description:
        'The first 120 characters of an unexpected response, with white space collapsed and the Verify Token masked.',
    }),
    error: z.string().nullable().meta({ description: 'Why there was no response.' }),
  })
  .meta({ id: 'WebhookProbe' });
export type WebhookProbeBody = z.output<typeof webhookProbeSchema>;

export const webhookProbesField = z
  .array(webhookProbeSchema)
  .optional()
  .meta({ description: 'The result of each probe, in order. Omitted if unknown.' });
