import { replayStartedSchema } from '../replays/schema.ts';
import {
  staffBulkReplayInput,
  staffReplayListQuery,
  staffReplayListSchema,
  staffReplayMoveInput,
  staffReplaySchema,
} from './replay-schema.ts';
import { staffReadQuery } from './schema.ts';
import type { RouteDefinition } from '../definitions/route-definition.ts';
import { byStaff } from './routes.ts';

const tag = 'Staff';
const rpl = { kind: 'replay', notFound: 'REPLAY_NOT_FOUND' } as const;
const scopeErrors = ['CHANNEL_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'] as const;

/** Bulk replays of any organization, in the name of support: each act has a reason, which its people read. */
export const staffReplayRoutes = {
  createStaffReplay: {
    operationId: 'createStaffReplay',
    summary: 'Sends old events of any organization again, or counts them only; both are audited',
    tag,
    method: 'post',
    path: '/staff/replays',
    parameters: {},
    access: byStaff,
    body: staffBulkReplayInput,
    idempotent: true,
    success: { status: 202, body: replayStartedSchema },
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND'],
  },
  listStaffReplays: {
    operationId: 'listStaffReplays',
    summary: 'Lists the replays of a channel, a workspace or an organization, newest first; the look is audited',
    tag,
    method: 'get',
    path: '/staff/replays',
    parameters: {},
    access: byStaff,
    query: staffReplayListQuery,
    success: { status: 200, body: staffReplayListSchema },
    errors: scopeErrors,
  },
  getStaffReplay: {
    operationId: 'getStaffReplay',
    summary: 'Returns a replay of any organization and what has become of what it sent; the look is audited',
    tag,
    method: 'get',
    path: '/staff/replays/{rpl}',
    parameters: { rpl },
    access: byStaff,
    query: staffReadQuery,
    success: { status: 200, body: staffReplaySchema },
    errors: [],
  },
  pauseStaffReplay: {
    operationId: 'pauseStaffReplay',
    summary: 'Sends nothing more until the replay is resumed, in the name of support',
    tag,
    method: 'post',
    path: '/staff/replays/{rpl}/pause',
    parameters: { rpl },
    access: byStaff,
    body: staffReplayMoveInput,
    success: { status: 202, body: staffReplaySchema },
    errors: ['REPLAY_ENDED'],
  },
  resumeStaffReplay: {
    operationId: 'resumeStaffReplay',
    summary: 'Goes on with a replay that was paused, in the name of support',
    tag,
    method: 'post',
    path: '/staff/replays/{rpl}/resume',
    parameters: { rpl },
    access: byStaff,
    body: staffReplayMoveInput,
    success: { status: 202, body: staffReplaySchema },
    errors: ['REPLAY_ENDED'],
  },
  cancelStaffReplay: {
    operationId: 'cancelStaffReplay',
    summary: 'Ends a replay for good, in the name of support; what it has sent goes on as any delivery',
    tag,
    method: 'post',
    path: '/staff/replays/{rpl}/cancel',
    parameters: { rpl },
    access: byStaff,
    body: staffReplayMoveInput,
    success: { status: 202, body: staffReplaySchema },
    errors: ['REPLAY_ENDED'],
  },
} as const satisfies Record<string, RouteDefinition>;
