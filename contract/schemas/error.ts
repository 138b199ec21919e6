import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { type WebhookProbeBody, webhookProbesField } from './webhook-probe.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The body of every refusal. */
export const errorSchema = z
  .strictObject({
    statusCode: z.int().min(400).max(599).meta({ description: 'Equal to the status of the response.' }),
    code: z.enum(codes).meta({ description: 'Stable and machine-readable.' }),
    message: z.string(),
    requestId: z.string().meta({ description: 'To be quoted when contacting support.' }),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.output<typeof errorSchema>;

/** What stands beside these fields with single codes. */
export const errorDetails = {
  WEBHOOK_URL_VERIFICATION_FAILED: { probes: webhookProbesField },
} as const satisfies Partial<Record<ErrorCode, z.ZodRawShape>>;
export interface ErrorDetails {
  readonly probes?: WebhookProbeBody[];
}
