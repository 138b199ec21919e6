import { z } from 'zod';
import { givenInstant, idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';

export const outboundCallQuery = z.strictObject({
  requestId: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/, 'must be a request id: 1 to 128 letters, digits, dots, dashes and underscores')
    .optional()
    .meta({
      description: "Filters by the request that caused the calls: the service's id, or the caller's own x-request-id.",
    }),
  since: givenInstant.optional().meta({ description: 'Started at or after this time.' }),
  until: givenInstant.optional().meta({ description: 'Started before this time.' }),
  ...pageQuery,
});

export const outboundCallSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel of the call.'),
    via: z.enum(['gateway', 'api', 'workflow']).meta({ description: 'The component that made the call.' }),
    caller: z.string().meta({ description: 'A credential, the first characters of a channel token, or a workflow.' }),
    operation: z.string().nullable().meta({ description: 'The operation of the API; null for the gateway.' }),
    method: z.string(),
    path: z.string().meta({ description: 'Without version and query.' }),
    status: z.int().nullable().meta({ description: 'Null without a response.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: "The platform's code and subcode, or the reason for a missing response." }),
    durationMs: z.int(),
    requestId: z.string().meta({ description: "The service's id of the request." }),
    callerRequestId: z.string().nullable().meta({ description: "The caller's own x-request-id." }),
    platformRequestId: z.string().nullable().meta({ description: "Quote it to the platform's support." }),
    startedAt: instantField,
  })
  .meta({ id: 'OutboundCall' });
export type OutboundCallBody = z.output<typeof outboundCallSchema>;

export const outboundCallList = z
  .strictObject({ outboundCalls: z.array(outboundCallSchema), nextCursor: nextCursorField })
  .meta({ id: 'OutboundCallList' });
