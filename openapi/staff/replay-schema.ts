import { z } from 'zod';
import { idField, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { replayInput, replaySchema, replayScopeField } from '../replays/schema.ts';
import { reasonField, temporalUrlField } from './schema.ts';

export const staffBulkReplayInput = replayInput.extend({ reason: reasonField }).meta({ id: 'StaffBulkReplayInput' });
export const staffReplayMoveInput = z.strictObject({ reason: reasonField }).meta({ id: 'StaffReplayMoveInput' });

export const staffReplayListQuery = z.strictObject({
  scope: replayScopeField.meta({
    description: 'Whose replays: `channel:<id>`, `workspace:<id>` or `organization:<id>`.',
  }),
  reason: reasonField,
  ...pageQuery,
});

export const staffReplaySchema = replaySchema
  .extend({
    organizationId: idField('organization', 'Whose deliveries it sends again.'),
    workspaceId: idField('workspace', 'Where it is of one.').nullable(),
    temporalUrl: temporalUrlField.meta({ description: 'Its workflow in the Temporal UI; null where none is known.' }),
  })
  .meta({ id: 'StaffReplay' });
export type StaffReplayBody = z.output<typeof staffReplaySchema>;

export const staffReplayListSchema = z
  .strictObject({ replays: z.array(staffReplaySchema), nextCursor: nextCursorField })
  .meta({ id: 'StaffReplayList' });
