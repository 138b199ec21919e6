import { z } from 'zod';
import { auditActorTypes } from '../../contract/identity/actor-types.ts';
import { idField, instantField, nextCursorField, pageQuery, noControlCharacters } from '../definitions/fields.ts';

export const auditEntrySchema = z
  .strictObject({
    at: instantField,
    actor: z.strictObject({
      type: z.enum(auditActorTypes),
      id: z.string().meta({ description: '`usr_…`, `key_…`, `ac_…`, or the name of a process.' }),
    }),
    action: z.string().meta({ description: 'What was done, `noun.pastTense`.' }),
    targetId: z.string().nullable().meta({ description: 'What it was done to.' }),
    workspaceId: idField('workspace', 'The workspace that it was done in.').nullable(),
    reason: z.string().nullable(),
    requestId: z.string().nullable(),
    clientAddress: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryBody = z.output<typeof auditEntrySchema>;

/** The database refuses NUL in a text, and no name has a control character. */
const instantQuery = z.iso.datetime({ offset: true }).optional();

export const auditListQuery = z.strictObject({
  action: z.string().min(1).max(100).regex(noControlCharacters, 'must have no control characters').optional(),
  actor: z
    .string()
    .min(1)
    .max(200)
    .regex(noControlCharacters, 'must have no control characters')
    .optional()
    .meta({ description: "An actor's id." }),
  since: instantQuery.meta({ description: 'From this instant on.' }),
  until: instantQuery.meta({ description: 'Before this instant.' }),
  ...pageQuery,
});
export const auditListSchema = z
  .strictObject({ entries: z.array(auditEntrySchema), nextCursor: nextCursorField })
  .meta({ id: 'AuditEntryList' });
