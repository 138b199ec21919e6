import { z } from 'zod';
import { idField, namedObject, namedPage, pageQuery } from '../definitions/fields.ts';
import { replayInput, replaySchema, replayScopeField, replayStartedSchema } from '../replays/routes.ts';
import { reasonField, staffReadQuery, temporalUrlField } from './schema.ts';
import { scopeErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals } from '../definitions/route-definition.ts';

const staffBulkReplayInput = replayInput.extend({ reason: reasonField }).meta({ id: 'StaffBulkReplayInput' });
const staffReplayMoveInput = namedObject('StaffReplayMoveInput', { reason: reasonField });

const staffReplayListQuery = z.strictObject({
  scope: replayScopeField.describe('`channel:<id>`, `workspace:<id>` or `organization:<id>`.'),
  reason: reasonField,
  ...pageQuery,
});

const staffReplaySchema = replaySchema
  .extend({
    organizationId: idField('organization', 'The organization of its deliveries.'),
    workspaceId: idField('workspace', 'The workspace, if the replay belongs to one.').nullable(),
    temporalUrl: temporalUrlField.describe('The workflow in the Temporal UI; null if no UI is configured.'),
  })
  .meta({ id: 'StaffReplay' });
export type StaffReplayBody = z.output<typeof staffReplaySchema>;

const staffReplayListSchema = namedPage('StaffReplayList', { replays: staffReplaySchema });

const byStaff = byPrincipals(['staff'], { within: 'installation' });

export const staffReplayRoutes = defineRoutes('Staff', {
  createStaffReplay: {
    route: 'POST /staff/replays',
    summary: 'Creates a replay in any organization',
    description: 'Sends old events again. A dry run only counts them. Both are audited.',
    access: byStaff,
    body: staffBulkReplayInput,
    idempotent: true,
    status: 202,
    answer: replayStartedSchema,
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND', 'READ_TOO_SLOW'],
  },
  listStaffReplays: {
    route: 'GET /staff/replays',
    summary: 'Lists replays of any organization',
    description:
      'Returns the replays of a channel, a workspace or an organization, newest first. The request is audited.',
    access: byStaff,
    query: staffReplayListQuery,
    answer: staffReplayListSchema,
    errors: [...scopeErrors, 'READ_TOO_SLOW'],
  },
  getStaffReplay: {
    route: 'GET /staff/replays/{rpl}',
    summary: 'Returns a replay of any organization',
    description: 'The request is audited.',
    access: byStaff,
    query: staffReadQuery,
    answer: staffReplaySchema,
    errors: ['READ_TOO_SLOW'],
  },
  pauseStaffReplay: {
    route: 'POST /staff/replays/{rpl}/pause',
    summary: 'Pauses a replay as staff',
    description: 'Nothing more is sent until it is resumed.',
    access: byStaff,
    body: staffReplayMoveInput,
    status: 202,
    answer: staffReplaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
  resumeStaffReplay: {
    route: 'POST /staff/replays/{rpl}/resume',
    summary: 'Resumes a paused replay as staff',
    remarks: 'Requires a reason, which is recorded.',
    access: byStaff,
    body: staffReplayMoveInput,
    status: 202,
    answer: staffReplaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
  cancelStaffReplay: {
    route: 'POST /staff/replays/{rpl}/cancel',
    summary: 'Cancels a replay as staff',
    description: 'Deliveries that it has already created continue.',
    access: byStaff,
    body: staffReplayMoveInput,
    status: 202,
    answer: staffReplaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
});
