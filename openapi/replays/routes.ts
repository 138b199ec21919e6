import {
  missingScope,
  replayInput,
  replayListQuery,
  replayListSchema,
  replaySchema,
  replayStartedSchema,
} from './schema.ts';
import { byScope, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Replays';
const rpl = { kind: 'replay', notFound: 'REPLAY_NOT_FOUND' } as const;
const reading = byScope('deliveries.read', { within: 'scope' });
const replaying = byScope('deliveries.replay', { within: 'scope' });
const scopeErrors = ['CHANNEL_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'] as const;

export const replayRoutes = {
  createReplay: {
    operationId: 'createReplay',
    summary: 'Sends old events again, below live traffic and outside the order of conversations; or counts them only',
    tag,
    method: 'post',
    path: '/replays',
    parameters: {},
    access: replaying,
    body: replayInput,
    idempotent: true,
    success: { status: 202, body: replayStartedSchema },
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND', 'LIMIT_REACHED'],
  },
  listReplays: {
    operationId: 'listReplays',
    summary: 'Lists replays of a channel, a workspace with its channels, or an organization, newest first',
    tag,
    method: 'get',
    path: '/replays',
    parameters: {},
    access: reading,
    query: replayListQuery,
    problems: missingScope,
    success: { status: 200, body: replayListSchema },
    errors: scopeErrors,
  },
  getReplay: {
    operationId: 'getReplay',
    summary: 'Returns one replay and what has become of what it sent',
    tag,
    method: 'get',
    path: '/replays/{rpl}',
    parameters: { rpl },
    access: reading,
    success: { status: 200, body: replaySchema },
    errors: [],
  },
  pauseReplay: {
    operationId: 'pauseReplay',
    summary: 'Sends nothing more until the replay is resumed',
    tag,
    method: 'post',
    path: '/replays/{rpl}/pause',
    parameters: { rpl },
    access: replaying,
    success: { status: 202, body: replaySchema },
    errors: ['REPLAY_ENDED'],
  },
  resumeReplay: {
    operationId: 'resumeReplay',
    summary: 'Goes on with a replay that was paused',
    tag,
    method: 'post',
    path: '/replays/{rpl}/resume',
    parameters: { rpl },
    access: replaying,
    success: { status: 202, body: replaySchema },
    errors: ['REPLAY_ENDED'],
  },
  cancelReplay: {
    operationId: 'cancelReplay',
    summary: 'Ends a replay for good; what it has sent goes on as any delivery',
    tag,
    method: 'post',
    path: '/replays/{rpl}/cancel',
    parameters: { rpl },
    access: replaying,
    success: { status: 202, body: replaySchema },
    errors: ['REPLAY_ENDED'],
  },
} as const satisfies Record<string, RouteDefinition>;
