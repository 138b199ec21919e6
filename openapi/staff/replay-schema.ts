import { z } from 'zod';
import { idField, namedObject, nextCursorField, pageQuery } from '../definitions/fields.ts';
import { replayInput, replaySchema, replayScopeField } from '../replays/schema.ts';
import { reasonField, temporalUrlField } from './schema.ts';

export const staffBulkReplayInput = replayInput.extend({ reason: reasonField }).meta({ id: 'StaffBulkReplayInput' });
export const staffReplayMoveInput = namedObject('StaffReplayMoveInput', { reason: reasonField });

export const staffReplayListQuery = z.strictObject({
  scope: replayScopeField.describe('`channel:<id>`, `workspace:<id>` or `organization:<id>`.'),
  reason: reasonField,
  ...pageQuery,
});

export const staffReplaySchema = replaySchema
  .extend({
    organizationId: idField('organization', 'The organization of its deliveries.'),
    workspaceId: idField('workspace', 'The workspace, if the replay belongs to one.').nullable(),
    temporalUrl: temporalUrlField.describe('The workflow in the Temporal UI; null if no UI is configured.'),
  })
  .meta({ id: 'StaffReplay' });
export type StaffReplayBody = z.output<typeof staffReplaySchema>;

export const staffReplayListSchema = namedObject('StaffReplayList', {
  replays: z.array(staffReplaySchema),
  nextCursor: nextCursorField,
});
