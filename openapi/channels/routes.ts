import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { channelListQuery, channelListSchema, channelMoveInput, channelSchema } from './schema.ts';
import { channelEnvSchema, channelTokenSchema, rotatedTokenSchema, tokenRotationInput } from './token-schema.ts';
import { byScope } from '../definitions/route-definition.ts';

const reading = byScope('channel.read', { within: 'header' });
const revealing = byScope('channel.reveal', { within: 'header', role: 'developer' });
const managing = byScope('channel.manage', { within: 'header', role: 'admin' });

export const channelRoutes = defineRoutes('Channels', {
  listChannels: {
    route: 'GET /platform/channels',
    summary: 'Lists the channels of the workspace, newest first',
    remarks: '`connected` says whether the account is connected at present.',
    access: { ...reading, portal: 'channels.read' },
    query: channelListQuery,
    answer: channelListSchema,
  },
  getChannel: {
    route: 'GET /platform/channels/{ch}',
    summary: 'Returns a channel',
    remarks: 'With its account at the platform, its webhook URL and whether events are forwarded.',
    access: { ...reading, portal: 'channels.read' },
    answer: channelSchema,
  },
  enableChannel: {
    route: 'POST /platform/channels/{ch}/enable',
    summary: 'Enables forwarding',
    description: 'Events that were skipped while forwarding was disabled are not sent.',
    access: managing,
    answer: channelSchema,
    errors: ['CHANNEL_DISCONNECTED'],
  },
  disableChannel: {
    route: 'POST /platform/channels/{ch}/disable',
    summary: 'Disables forwarding',
    description: 'Waiting deliveries are skipped.',
    access: managing,
    answer: channelSchema,
  },
  disconnectChannel: {
    route: 'POST /platform/channels/{ch}/disconnect',
    summary: 'Disconnects a channel from the platform',
    description:
      'Waiting deliveries are cancelled. What the platform sends from then on is delivered once the account is connected again in ' +
      'the same workspace.',
    access: managing,
    answer: channelSchema,
  },
  getChannelToken: {
    route: 'GET /platform/channels/{ch}/token',
    summary: "Returns the channel's token for the gateway",
    description: 'The first request mints it.',
    access: revealing,
    reveals: ['token'],
    answer: channelTokenSchema,
    errors: ['CHANNEL_DISCONNECTED'],
  },
  rotateChannelToken: {
    route: 'POST /platform/channels/{ch}/token/rotate',
    summary: 'Mints a new channel token',
    description: 'The previous token stays valid for the overlap.',
    access: { ...managing, alsoScope: 'channel.reveal' },
    share: 'interactive',
    reveals: ['token'],
    body: tokenRotationInput,
    idempotent: true,
    answer: rotatedTokenSchema,
    errors: ['CHANNEL_DISCONNECTED', ...workflowErrors],
  },
  getChannelEnv: {
    route: 'GET /platform/channels/{ch}/env',
    summary: 'Returns environment variables for a client of the channel',
    remarks: 'Write them into the `.env` file of a program that uses the gateway and receives events.',
    access: revealing,
    reveals: ['token', 'webhook_secret', 'verify_token'],
    answer: channelEnvSchema,
    errors: ['CHANNEL_DISCONNECTED'],
  },
  moveChannel: {
    route: 'POST /channels/{ch}/move',
    summary: 'Moves a channel to another workspace of the organization',
    description: 'Existing events and deliveries stay in the previous workspace.',
    access: byScope('channel.manage', { within: 'channel', role: 'organization_admin' }),
    body: channelMoveInput,
    answer: channelSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
});
