import { z } from 'zod';
import {
  alertKindNames,
  alertSeverities,
  alertStatuses,
  alertSubjectTypes,
  MAX_MUTE_MS,
} from '../../contract/alerts/kinds.ts';
import { givenInstant, idField, instantField, namedObject, nextCursorField, pageQuery } from '../definitions/fields.ts';

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

export const alertListSchema = namedObject('AlertList', { alerts: z.array(alertSchema), nextCursor: nextCursorField });

export const alertCountQuery = z.strictObject({
  workspaceId: idField('workspace', 'Alerts of this workspace.').optional(),
});

export const alertCountSchema = namedObject(
  'AlertCount',
  {
    critical: z.int().min(0).max(1_000),
    warning: z.int().min(0).max(1_000),
  },
  'Open alerts by severity, at most 1,000 of each.',
);

export const muteInput = z.strictObject({
  until: givenInstant.describe(`When the alert is announced again, at most ${MAX_MUTE_MS / 86_400_000} days from now.`),
});
