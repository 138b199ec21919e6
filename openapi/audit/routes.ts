import { z } from 'zod';
import { auditActorTypes } from '../../contract/identity/actor-types.ts';
import {
  givenInstant,
  idField,
  instantField,
  namedObject,
  namedPage,
  noControlCharacters,
  pageQuery,
} from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';

export const auditEntrySchema = namedObject('AuditEntry', {
  at: instantField,
  actor: z.strictObject({
    type: z.enum(auditActorTypes),
    id: z.string().describe('`usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process.'),
    name: z
      .string()
      .nullable()
      .meta({
        description:
          'The email address of a person or of staff, the name of a key or an agent; null if it is not known.',
        examples: ['ops@example.com'],
      }),
  }),
  action: z.string().describe('The action, such as `channel.moved`.'),
  targetId: z.string().nullable().describe('The affected resource.'),
  targetName: z
    .string()
    .nullable()
    .meta({
      description:
        'The present name of a channel, a workspace, a key, an onboarding link or a portal link, or the email address of ' +
        'a person; null for others, and if it is not known.',
      examples: ['Sunrise Bakery'],
    }),
  workspaceId: idField('workspace', 'The affected workspace.').nullable(),
  reason: z.string().nullable(),
  requestId: z.string().nullable().describe("The service's id of the request, as in its logs."),
  callerRequestId: z
    .string()
    .nullable()
    .describe("The caller's own x-request-id. Null if none was sent, and for actions that finish after the response."),
  clientAddress: z.string().nullable(),
});
const instantQuery = givenInstant.optional();

export const auditListQuery = z.strictObject({
  action: z
    .string()
    .min(1)
    .max(100)
    .regex(noControlCharacters, 'must have no control characters')
    .optional()
    .describe('Such as `webhook.set`.'),
  actor: z
    .string()
    .min(1)
    .max(200)
    .regex(noControlCharacters, 'must have no control characters')
    .optional()
    .describe("Filters by the actor's id."),
  since: instantQuery.describe('At or after this time.'),
  until: instantQuery.describe('Before this time.'),
  ...pageQuery,
});
const auditListSchema = namedPage('AuditEntryList', { entries: auditEntrySchema });

export const auditRoutes = defineRoutes('Audit log', {
  listAuditEntries: {
    route: 'GET /organizations/{org}/audit-entries',
    summary: "Lists the organization's security-relevant actions, newest first",
    remarks:
      "Filter by action, actor and time. Sends and publications are in each channel's outbound calls, with their credential.",
    isSlowRead: true,
    access: byPrincipals(notAgents, { within: 'organization', role: 'admin' }),
    query: auditListQuery,
    answer: auditListSchema,
  },
});
