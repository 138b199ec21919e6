import { z } from 'zod';
import { probeNames, probeOutcomes } from '../../contract/webhooks/probe.ts';
import { instantField, urlField } from '../definitions/fields.ts';

const webhookProbeSchema = z
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

export const webhookVerificationSchema = z
  .strictObject({
    at: instantField.meta({ description: 'When the save was requested.' }),
    url: urlField,
    ok: z.boolean().meta({ description: 'Whether the URL was saved.' }),
    failure: z.string().nullable().meta({ description: 'The message of the error; null if it was saved.' }),
    probes: z
      .array(webhookProbeSchema)
      .meta({ description: 'The result of each probe, in order. Empty if the address was refused before.' }),
  })
  .meta({ id: 'WebhookVerification' });
export type WebhookVerificationBody = z.output<typeof webhookVerificationSchema>;
