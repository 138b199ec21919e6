import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import { channelHealthListSchema, channelHealthQuery, channelHealthSchema } from './health-schema.ts';

export const channelHealthRoutes = defineRoutes('Channel health', {
  getAccountHealth: {
    route: 'GET /channels/{ch}/health',
    summary: "Returns what the platform says about the channel's account",
    description: 'From the last check. For the health of destinations, list the destinations of the channel.',
    access: byScope('channel.read', { within: 'channel' }),
    answer: channelHealthSchema,
  },
  refreshAccountHealth: {
    route: 'POST /channels/{ch}/health/refresh',
    summary: "Checks the channel's account at the platform now",
    description:
      'Waits for the check. Within a minute of the last check it returns the stored result, so it is safe to repeat. ' +
      'If the platform does not answer, `lastFailure` says so, and the other fields are those of the check before.',
    access: byScope('channel.manage', { within: 'channel', role: 'developer' }),
    share: 'interactive',
    answer: channelHealthSchema,
    errors: ['CHANNEL_DISCONNECTED', 'WORKFLOW_UNAVAILABLE'],
  },
  listAccountHealth: {
    route: 'GET /workspaces/{ws}/channel-health',
    summary: 'Lists the health of the channels of a workspace, newest channels first',
    remarks: 'Returns the last check of each channel without asking the platform.',
    access: byScope('channel.read', { within: 'workspace' }),
    query: channelHealthQuery,
    answer: channelHealthListSchema,
  },
});
