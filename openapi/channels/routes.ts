import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { channelListQuery, channelListSchema, channelMoveInput, channelSchema } from './schema.ts';
import { channelEnvSchema, channelTokenSchema, rotatedTokenSchema, tokenRotationInput } from './token-schema.ts';
import { byScope } from '../definitions/route-definition.ts';

const reading = byScope('channel.read', { within: 'header' });
/** These routes show secrets. */
const revealing = byScope('channel.reveal', { within: 'header', role: 'developer' });
const managing = byScope('channel.manage', { within: 'header', role: 'admin' });

export const channelRoutes = defineRoutes('Channels', {
  listChannels: {
    route: 'GET /platform/channels',
    summary: 'Lists the channels of the workspace, newest first',
    access: reading,
    query: channelListQuery,
    answer: channelListSchema,
  },
  getChannel: {
    route: 'GET /platform/channels/{ch}',
    summary: 'Returns one channel',
    access: reading,
    answer: channelSchema,
  },
  enableChannel: {
    route: 'POST /platform/channels/{ch}/enable',
    summary: 'Turns forwarding on; what was skipped meanwhile is not sent',
    access: managing,
    answer: channelSchema,
    errors: ['CHANNEL_DISCONNECTED'],
  },
  disableChannel: {
    route: 'POST /platform/channels/{ch}/disable',
    summary: 'Turns forwarding off; deliveries that wait are skipped',
    access: managing,
    answer: channelSchema,
  },
  disconnectChannel: {
    route: 'POST /platform/channels/{ch}/disconnect',
    summary: 'Disconnects the channel from the platform; deliveries that wait are cancelled',
    access: managing,
    answer: channelSchema,
  },
  getChannelToken: {
    route: 'GET /platform/channels/{ch}/token',
    summary: 'Returns the token that opens the channel at the gateway, minted when it is first asked for',
    access: revealing,
    reveals: ['token'],
    answer: channelTokenSchema,
    errors: ['CHANNEL_DISCONNECTED'],
  },
  rotateChannelToken: {
    route: 'POST /platform/channels/{ch}/token/rotate',
    summary: 'Mints a new token; the one so far goes on for the overlap',
    access: { ...managing, alsoScope: 'channel.reveal' },
    reveals: ['token'],
    body: tokenRotationInput,
    idempotent: true,
    answer: rotatedTokenSchema,
    errors: ['CHANNEL_DISCONNECTED', ...workflowErrors],
  },
  getChannelEnv: {
    route: 'GET /platform/channels/{ch}/env',
    summary: 'Returns what a client of the channel is set up with, as environment variables',
    access: revealing,
    reveals: ['token', 'webhook_secret', 'verify_token'],
    answer: channelEnvSchema,
    errors: ['CHANNEL_DISCONNECTED'],
  },
  moveChannel: {
    route: 'POST /channels/{ch}/move',
    summary:
      'Moves the channel to another workspace of the organization; events and deliveries so far stay where they are',
    access: byScope('channel.manage', { within: 'channel', role: 'organization_admin' }),
    body: channelMoveInput,
    answer: channelSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
});
