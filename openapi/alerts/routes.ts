import { z } from 'zod';
import {
  alertKindNames,
  alertSeverities,
  alertStatuses,
  alertSubjectTypes,
  MAX_MUTE_MS,
} from '../../contract/alerts/kinds.ts';
import { givenInstant, idField, instantField, namedObject, namedPage, pageQuery } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';

const severityField = z.enum(alertSeverities);

export const alertSchema = namedObject('Alert', {
  alertId: idField('alert', 'The alert.'),
  kind: z.enum(alertKindNames),
  severity: severityField,
  status: z.enum(alertStatuses),
  organizationId: idField('organization', 'The organization.'),
  workspaceId: idField('workspace', 'The workspace.')
    .nullable()
    .describe('Null if the alert concerns the whole organization.'),
  channelId: idField('channel', 'The channel.').nullable(),
  subject: z
    .strictObject({
      type: z.enum(alertSubjectTypes),
      id: z.string().nullable().describe('Null for a webhook, of which a channel has one.'),
      label: z.string(),
    })
    .describe('The thing that needs attention. The latest one if there are several.'),
  title: z.string(),
  description: z.string().describe('What happened and what you can do.'),
  occurrences: z.int().min(1).describe('How often it happened, such as the number of deliveries.'),
  openedAt: instantField,
  lastSeenAt: instantField.describe('For a lasting cause, accurate to ten minutes.'),
  resolvedAt: instantField.nullable(),
  acknowledgedAt: instantField.nullable(),
  acknowledgedBy: z.string().nullable().describe('`usr_…`, `key_…` or `ac_…`.'),
  mutedUntil: instantField.nullable().describe('Until then it is left out of emails.'),
});

export const alertListQuery = z.strictObject({
  workspaceId: idField('workspace', 'Alerts of this workspace.').optional(),
  channelId: idField('channel', 'Alerts of this channel.').optional(),
  status: z.enum(alertStatuses).optional(),
  kind: z.enum(alertKindNames).optional(),
  severity: severityField.optional(),
  ...pageQuery,
});

const alertListSchema = namedPage('AlertList', { alerts: alertSchema });

const alertCountQuery = z.strictObject({
  workspaceId: idField('workspace', 'Alerts of this workspace.').optional(),
});

const alertCountSchema = namedObject(
  'AlertCount',
  {
    critical: z.int().min(0).max(1_000),
    warning: z.int().min(0).max(1_000),
  },
  'Open alerts by severity, at most 1,000 of each.',
);

const muteInput = z.strictObject({
  until: givenInstant.describe(`When the alert is announced again, at most ${MAX_MUTE_MS / 86_400_000} days from now.`),
});

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
