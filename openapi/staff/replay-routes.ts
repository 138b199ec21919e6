import { scopeErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { replayStartedSchema } from '../replays/schema.ts';
import {
  staffBulkReplayInput,
  staffReplayListQuery,
  staffReplayListSchema,
  staffReplayMoveInput,
  staffReplaySchema,
} from './replay-schema.ts';
import { staffReadQuery } from './schema.ts';
import { byPrincipals } from '../definitions/route-definition.ts';

const byStaff = byPrincipals(['staff'], { within: 'installation' });

/** Bulk replays of any organization, in the name of support: each act has a reason, which its people read. */
export const staffReplayRoutes = defineRoutes('Staff', {
  createStaffReplay: {
    route: 'POST /staff/replays',
    summary: 'Sends old events of any organization again, or counts them only; both are audited',
    access: byStaff,
    body: staffBulkReplayInput,
    idempotent: true,
    status: 202,
    answer: replayStartedSchema,
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND'],
  },
  listStaffReplays: {
    route: 'GET /staff/replays',
    summary: 'Lists the replays of a channel, a workspace or an organization, newest first; the look is audited',
    access: byStaff,
    query: staffReplayListQuery,
    answer: staffReplayListSchema,
    errors: scopeErrors,
  },
  getStaffReplay: {
    route: 'GET /staff/replays/{rpl}',
    summary: 'Returns a replay of any organization and what has become of what it sent; the look is audited',
    access: byStaff,
    query: staffReadQuery,
    answer: staffReplaySchema,
  },
  pauseStaffReplay: {
    route: 'POST /staff/replays/{rpl}/pause',
    summary: 'Sends nothing more until the replay is resumed, in the name of support',
    access: byStaff,
    body: staffReplayMoveInput,
    status: 202,
    answer: staffReplaySchema,
    errors: ['REPLAY_ENDED'],
  },
  resumeStaffReplay: {
    route: 'POST /staff/replays/{rpl}/resume',
    summary: 'Goes on with a replay that was paused, in the name of support',
    access: byStaff,
    body: staffReplayMoveInput,
    status: 202,
    answer: staffReplaySchema,
    errors: ['REPLAY_ENDED'],
  },
  cancelStaffReplay: {
    route: 'POST /staff/replays/{rpl}/cancel',
    summary: 'Ends a replay for good, in the name of support; what it has sent goes on as any delivery',
    access: byStaff,
    body: staffReplayMoveInput,
    status: 202,
    answer: staffReplaySchema,
    errors: ['REPLAY_ENDED'],
  },
});
