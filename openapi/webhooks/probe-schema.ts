import { z } from 'zod';
import { probeNames, probeOutcomes } from '../../contract/webhooks/probe.ts';
import { instantField, namedObject, urlField } from '../definitions/fields.ts';

const webhookProbeSchema = namedObject('WebhookProbe', {
  probe: z.enum(probeNames).describe('The method. The POST is sent only if the GET passed.'),
  outcome: z
    .enum(probeOutcomes)
    .describe('`rejected`: the response was not the expected one. `no_response`: there was none.'),
  status: z.int().nullable().describe('HTTP status of the response; null without a response.'),
  durationMs: z.int().min(0).nullable().describe('Null if the probe was not sent.'),
  expected: z.string().describe('The expected response, in words.'),
  found: z.string().nullable().describe('What was wrong, in words; null if the probe passed.'),
  responseBody: z
    .string()
    .nullable()
    .describe(
      'The first 120 characters of an unexpected response, with white space collapsed and the Verify Token masked.',
    ),
  error: z.string().nullable().describe('Why there was no response.'),
});

export const webhookVerificationSchema = namedObject('WebhookVerification', {
  at: instantField.describe('When the save was requested.'),
  url: urlField,
  ok: z.boolean().describe('Whether the URL was saved.'),
  failure: z.string().nullable().describe('The message of the error; null if it was saved.'),
  probes: z
    .array(webhookProbeSchema)
    .describe('The result of each probe, in order. Empty if the address was refused before.'),
});
