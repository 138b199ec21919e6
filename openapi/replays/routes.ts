import { scopeErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import {
  missingScope,
  replayInput,
  replayListQuery,
  replayListSchema,
  replaySchema,
  replayStartedSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

const reading = byScope('deliveries.read', { within: 'scope' });
const replaying = byScope('deliveries.replay', { within: 'scope' });

export const replayRoutes = defineRoutes('Replays', {
  createReplay: {
    route: 'POST /replays',
    summary: 'Creates a replay, which sends old events again',
    description: 'It runs below live traffic and outside the order of conversations.',
    access: { ...replaying, portal: 'replays.manage' },
    body: replayInput,
    idempotent: true,
    status: 202,
    answer: replayStartedSchema,
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND', 'LIMIT_REACHED', 'READ_TOO_SLOW'],
  },
  listReplays: {
    route: 'GET /replays',
    summary: 'Lists the replays of a channel, workspace or organization, newest first',
    remarks: 'The workspace in X-Workspace-Id by default.',
    access: { ...reading, portal: 'replays.read' },
    query: replayListQuery,
    problems: missingScope,
    answer: replayListSchema,
    errors: [...scopeErrors, 'READ_TOO_SLOW'],
  },
  getReplay: {
    route: 'GET /replays/{rpl}',
    summary: 'Returns a replay with its progress',
    remarks: 'Counts the deliveries that the replay has sent.',
    access: { ...reading, portal: 'replays.read' },
    answer: replaySchema,
    errors: ['READ_TOO_SLOW'],
  },
  pauseReplay: {
    route: 'POST /replays/{rpl}/pause',
    summary: 'Pauses a replay',
    description: 'Nothing more is sent until you resume it.',
    access: { ...replaying, portal: 'replays.manage' },
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
  resumeReplay: {
    route: 'POST /replays/{rpl}/resume',
    summary: 'Resumes a paused replay',
    remarks: 'Continues with the deliveries that are not sent yet.',
    access: { ...replaying, portal: 'replays.manage' },
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
  cancelReplay: {
    route: 'POST /replays/{rpl}/cancel',
    summary: 'Cancels a replay',
    description: 'Deliveries that it has already created continue.',
    access: { ...replaying, portal: 'replays.manage' },
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED', 'READ_TOO_SLOW'],
  },
});
