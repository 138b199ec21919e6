import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import {
  alertCountQuery,
  alertCountSchema,
  alertListQuery,
  alertListSchema,
  alertSchema,
  muteInput,
} from './schema.ts';

// The lists have only workspaces that the caller sees.
const listing = { ...byScope('deliveries.read', { within: 'organization' }), admitsLimited: true } as const;
const acting = byScope('channel.manage', { within: 'scope' });
const path = '/alerts/{alr}';

export const alertRoutes = defineRoutes('Alerts', {
  listAlerts: {
    route: 'GET /organizations/{org}/alerts',
    summary: 'Lists the alerts of an organization, newest first',
    description: 'Members see the alerts of their workspaces, admins of the organization all of them.',
    access: listing,
    query: alertListQuery,
    answer: alertListSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
  countAlerts: {
    route: 'GET /organizations/{org}/alert-count',
    summary: 'Counts the open alerts of an organization by severity',
    remarks: 'For a badge beside the list.',
    access: listing,
    query: alertCountQuery,
    answer: alertCountSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
  getAlert: {
    route: `GET ${path}`,
    summary: 'Returns an alert',
    remarks: 'With its subject and its times.',
    access: byScope('deliveries.read', { within: 'scope' }),
    answer: alertSchema,
  },
  acknowledgeAlert: {
    route: `POST ${path}/acknowledge`,
    summary: 'Acknowledges an alert',
    description:
      'Resolves an alert whose cause is in the past, such as a failed replay. Others stay open until their cause ends.',
    access: acting,
    answer: alertSchema,
    errors: ['ALERT_RESOLVED'],
  },
  muteAlert: {
    route: `POST ${path}/mute`,
    summary: 'Mutes an alert',
    description: 'It stays in the list but is left out of emails.',
    access: acting,
    body: muteInput,
    answer: alertSchema,
    errors: ['ALERT_RESOLVED'],
  },
  unmuteAlert: {
    route: `POST ${path}/unmute`,
    summary: 'Unmutes an alert',
    remarks: 'Its notifications are sent again.',
    access: acting,
    answer: alertSchema,
    errors: ['ALERT_RESOLVED'],
  },
});
