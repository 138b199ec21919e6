import { z } from 'zod';
import { alertKindNames, alertSeverities } from '../../contract/alerts/kinds.ts';
import { MAX_ALERT_RULES } from '../../contract/alerts/digest.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { idField, namedObject } from '../definitions/fields.ts';
import { byPrincipals } from '../definitions/route-definition.ts';

const ruleSchema = namedObject('AlertRule', {
  workspaceId: idField('workspace', 'The workspace.').nullable().describe('Null for all workspaces that you see.'),
  minSeverity: z.enum(alertSeverities),
  kinds: z.array(z.enum(alertKindNames)).min(1).max(alertKindNames.length).nullable().describe('Null for all kinds.'),
});

const alertPreferencesSchema = namedObject('AlertPreferences', {
  rules: z
    .array(ruleSchema)
    .max(MAX_ALERT_RULES)
    .describe('You get an email about an alert that fits one of them. None: no emails.'),
});

// Keys have no address of their own.
const personal = byPrincipals(['user'], { within: 'organization' });
const path = '/organizations/{org}/alert-preferences';

export const alertPreferenceRoutes = defineRoutes('Alerts', {
  getAlertPreferences: {
    route: `GET ${path}`,
    summary: 'Returns which alerts you get by email',
    remarks: 'Without rules, you get none.',
    access: personal,
    isForPeople: true,
    answer: alertPreferencesSchema,
  },
  setAlertPreferences: {
    route: `PUT ${path}`,
    summary: 'Chooses which alerts you get by email',
    description:
      'Replaces all your rules in the organization. One email lists many alerts, and one more says that they are over.',
    access: personal,
    isForPeople: true,
    body: alertPreferencesSchema,
    answer: alertPreferencesSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
});
