import { z } from 'zod';
import { auditActorTypes } from '../../contract/identity/actor-types.ts';
import {
  givenInstant,
  idField,
  instantField,
  nextCursorField,
  noControlCharacters,
  pageQuery,
} from '../definitions/fields.ts';

export const auditEntrySchema = z
  .strictObject({
    at: instantField,
    actor: z.strictObject({
      type: z.enum(auditActorTypes),
      id: z.string().meta({ description: '`usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process.' }),
      name: z
        .string()
        .nullable()
        .meta({
          description:
            'The email address of a person or of staff, the name of a key or an agent; null if it is not known.',
          examples: ['ops@example.com'],
        }),
    }),
    action: z.string().meta({ description: 'The action, such as `channel.moved`.' }),
    targetId: z.string().nullable().meta({ description: 'The affected resource.' }),
    workspaceId: idField('workspace', 'The affected workspace.').nullable(),
    reason: z.string().nullable(),
    requestId: z.string().nullable().meta({ description: "The service's id of the request, as in its logs." }),
    callerRequestId: z.string().nullable().meta({
      description:
        "The caller's own x-request-id. Null if none was sent, and for actions that finish after the response.",
    }),
    clientAddress: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryBody = z.output<typeof auditEntrySchema>;

const instantQuery = givenInstant.optional();

export const auditListQuery = z.strictObject({
  action: z
    .string()
    .min(1)
    .max(100)
    .regex(noControlCharacters, 'must have no control characters')
    .optional()
    .meta({ description: 'Such as `webhook.set`.' }),
  actor: z
    .string()
    .min(1)
    .max(200)
    .regex(noControlCharacters, 'must have no control characters')
    .optional()
    .meta({ description: "Filters by the actor's id." }),
  since: instantQuery.meta({ description: 'At or after this time.' }),
  until: instantQuery.meta({ description: 'Before this time.' }),
  ...pageQuery,
});
export const auditListSchema = z
  .strictObject({ entries: z.array(auditEntrySchema), nextCursor: nextCursorField })
  .meta({ id: 'AuditEntryList' });
