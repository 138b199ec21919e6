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
    summary: 'Sends old events again, below live traffic and outside the order of conversations; or counts them only',
    access: replaying,
    body: replayInput,
    idempotent: true,
    status: 202,
    answer: replayStartedSchema,
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND', 'LIMIT_REACHED'],
  },
  listReplays: {
    route: 'GET /replays',
    summary: 'Lists replays of a channel, a workspace with its channels, or an organization, newest first',
    access: reading,
    query: replayListQuery,
    problems: missingScope,
    answer: replayListSchema,
    errors: scopeErrors,
  },
  getReplay: {
    route: 'GET /replays/{rpl}',
    summary: 'Returns one replay and what has become of what it sent',
    access: reading,
    answer: replaySchema,
  },
  pauseReplay: {
    route: 'POST /replays/{rpl}/pause',
    summary: 'Sends nothing more until the replay is resumed',
    access: replaying,
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED'],
  },
  resumeReplay: {
    route: 'POST /replays/{rpl}/resume',
    summary: 'Goes on with a replay that was paused',
    access: replaying,
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED'],
  },
  cancelReplay: {
    route: 'POST /replays/{rpl}/cancel',
    summary: 'Ends a replay for good; what it has sent goes on as any delivery',
    access: replaying,
    status: 202,
    answer: replaySchema,
    errors: ['REPLAY_ENDED'],
  },
});
