import { z } from 'zod';
import { idField, instantField, nextCursorField, pageQuery } from '../definitions/fields.ts';

export const outboundCallQuery = z.strictObject({
  requestId: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/)
    .optional()
    .meta({ description: 'Only calls that this request led to.' }),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  ...pageQuery,
});

const outboundCall = z
  .strictObject({
    channelId: idField('channel', 'The channel that the call was for.'),
    via: z.enum(['gateway', 'api', 'workflow']).meta({ description: 'Which way it went.' }),
    caller: z.string().meta({ description: 'The credential, the beginning of a channel token, or a workflow.' }),
    operation: z.string().nullable().meta({ description: 'The typed operation; null at the gateway.' }),
    method: z.string(),
    path: z.string().meta({ description: 'Below the version, without the query.' }),
    status: z.int().nullable().meta({ description: 'Null where no answer came.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: "The platform's code and subcode, or what kept the answer back." }),
    durationMs: z.int(),
    requestId: z.string(),
    platformRequestId: z.string().nullable().meta({ description: 'For the support of the platform.' }),
    startedAt: instantField,
  })
  .meta({ id: 'OutboundCall' });
export type OutboundCallBody = z.output<typeof outboundCall>;

export const outboundCallList = z
  .strictObject({ outboundCalls: z.array(outboundCall), nextCursor: nextCursorField })
  .meta({ id: 'OutboundCallList' });
