import {
  containerCreated,
  containerInput,
  containerList,
  containerListQuery,
  containerPublished,
  containerSchema,
} from './schema.ts';
import { byScope, channelParameter, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Media containers';
const path = '/channels/{ch}/photoapp/containers';
const containerParameter = { kind: 'container', notFound: 'CONTAINER_NOT_FOUND' } as const;
const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('channel.manage', { within: 'channel' });

export const containerRoutes = {
  createContainer: {
    operationId: 'createContainer',
    summary: 'Makes a media container, and answers when the platform has taken it',
    tag,
    method: 'post',
    path,
    parameters: { ch: channelParameter },
    access: managing,
    body: containerInput,
    idempotent: true,
    location: 'The container, of which there is one from here on whatever the answer is.',
    success: { status: 201, body: containerCreated },
    errors: [
      'CHANNEL_TYPE_MISMATCH',
      'CHANNEL_DISCONNECTED',
      'PLATFORM_REJECTED',
      'WORKFLOW_UNAVAILABLE',
      'PLATFORM_OUTCOME_UNKNOWN',
    ],
  },
  listContainers: {
    operationId: 'listContainers',
    summary: 'Lists the media containers of the channel, newest first',
    tag,
    method: 'get',
    path,
    parameters: { ch: channelParameter },
    access: reading,
    query: containerListQuery,
    success: { status: 200, body: containerList },
    errors: [],
  },
  getContainer: {
    operationId: 'getContainer',
    summary: 'Returns one media container with its status',
    tag,
    method: 'get',
    path: `${path}/{ctr}`,
    parameters: { ch: channelParameter, ctr: containerParameter },
    access: reading,
    success: { status: 200, body: containerSchema },
    errors: [],
  },
  publishContainer: {
    operationId: 'publishContainer',
    summary: 'Publishes a finished media container, once however often it is asked for',
    tag,
    method: 'post',
    path: `${path}/{ctr}/publish`,
    parameters: { ch: channelParameter, ctr: containerParameter },
    access: managing,
    location: 'The container, to be read for what became of it.',
    success: { status: 200, body: containerPublished },
    errors: [
      'CHANNEL_DISCONNECTED',
      'CONTAINER_NOT_READY',
      'CONTAINER_EXPIRED',
      'CONTAINER_FAILED',
      'PUBLISH_QUOTA_EXCEEDED',
      'PLATFORM_REJECTED',
      'PLATFORM_UNAVAILABLE',
      'WORKFLOW_UNAVAILABLE',
      'PLATFORM_OUTCOME_UNKNOWN',
    ],
  },
} as const satisfies Record<string, RouteDefinition>;
