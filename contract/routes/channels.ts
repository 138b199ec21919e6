import { channelListQuery, channelListSchema, channelMoveInput, channelSchema } from '../schemas/channel.ts';
import { byScope, channelParameter, type RouteDefinition } from './definition.ts';

const tag = 'Channels';
const reading = byScope('channel.read', { within: 'header' });
const managing = byScope('channel.manage', { within: 'header', role: 'admin' });

export const channelRoutes = {
  listChannels: {
    operationId: 'listChannels',
    summary: 'Lists the channels of the workspace, newest first',
    tag,
    method: 'get',
    path: '/platform/channels',
    parameters: {},
    access: reading,
    query: channelListQuery,
    success: { status: 200, body: channelListSchema },
    errors: [],
  },
  getChannel: {
    operationId: 'getChannel',
    summary: 'Returns one channel',
    tag,
    method: 'get',
    path: '/platform/channels/{ch}',
    parameters: { ch: channelParameter },
    access: reading,
    success: { status: 200, body: channelSchema },
    errors: [],
  },
  enableChannel: {
    operationId: 'enableChannel',
    summary: 'Turns forwarding on; what was skipped meanwhile is not sent',
    tag,
    method: 'post',
    path: '/platform/channels/{ch}/enable',
    parameters: { ch: channelParameter },
    access: managing,
    success: { status: 200, body: channelSchema },
    errors: ['CHANNEL_DISCONNECTED'],
  },
  disableChannel: {
    operationId: 'disableChannel',
    summary: 'Turns forwarding off; deliveries that wait are skipped',
    tag,
    method: 'post',
    path: '/platform/channels/{ch}/disable',
    parameters: { ch: channelParameter },
    access: managing,
    success: { status: 200, body: channelSchema },
    errors: [],
  },
  disconnectChannel: {
    operationId: 'disconnectChannel',
    summary: 'Disconnects the channel from the platform; deliveries that wait are cancelled',
    tag,
    method: 'post',
    path: '/platform/channels/{ch}/disconnect',
    parameters: { ch: channelParameter },
    access: managing,
    success: { status: 200, body: channelSchema },
    errors: [],
  },
  moveChannel: {
    operationId: 'moveChannel',
    summary:
      'Moves the channel to another workspace of the organization; events and deliveries so far stay where they are',
    tag,
    method: 'post',
    path: '/channels/{ch}/move',
    parameters: { ch: channelParameter },
    access: byScope('channel.manage', { within: 'channel', role: 'organization_admin' }),
    body: channelMoveInput,
    success: { status: 200, body: channelSchema },
    errors: ['WORKSPACE_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
