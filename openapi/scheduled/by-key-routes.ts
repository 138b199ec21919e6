import { z } from 'zod';
import { idField, instantField, namedObject } from '../definitions/fields.ts';
import { channelIdField } from '../operations/platform-fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, notAgents } from '../definitions/route-definition.ts';

/** Listed by one request, and cancelled by one. */
export const MAX_SCHEDULED_BY_KEY = 100;
/** Bounds the cost of the counts. */
export const MAX_COUNTED = 10_000;

const recordFields = {
  kind: z.enum(['message', 'post']),
  id: z.string().describe('The scheduled message (sm_) or the scheduled post (sp_).'),
  channelId: channelIdField,
  workspaceId: idField('workspace', 'The workspace in which it was scheduled.'),
  dueAt: instantField.describe('When it is sent or published.'),
};

const countField = (what: string) =>
  z.int().min(0).describe(`The scheduled ${what}. At most ${MAX_COUNTED} are counted.`);

const scheduledByKeySchema = namedObject('ScheduledByKey', {
  scheduled: z
    .array(namedObject('ScheduledRecord', recordFields))
    .describe(`The first ${MAX_SCHEDULED_BY_KEY}, by the time at which they are due.`),
  messageCount: countField('messages'),
  postCount: countField('posts'),
});
const cancellationSchema = namedObject('ScheduledCancellation', {
  ...recordFields,
  outcome: z
    .enum(['cancelled', 'too_late'])
    .describe('`too_late`: the send or the container has begun, or the record has ended.'),
});

const scheduledCancellationsSchema = namedObject('ScheduledCancellationList', {
  cancellations: z.array(cancellationSchema),
  remaining: z
    .int()
    .min(0)
    .describe(
      `What is still scheduled beyond the ${MAX_SCHEDULED_BY_KEY} that one request cancels. Repeat the request until it is 0.`,
    ),
});
/** Like the revocation of a key. */
const inSession = byPrincipals(['user'], { within: 'organization', role: 'admin' });
const aboutCredentials = byPrincipals(notAgents, { within: 'person' });

const listing = {
  description: 'Works after the revocation, too. Lists messages and posts that have not begun, the first due first.',
  isForPeople: true,
  answer: scheduledByKeySchema,
} as const;
const cancelling = {
  description: 'Works after the revocation, too. Reports an outcome for each message and post.',
  remarks: 'Do it after the revocation. Repeat it until `remaining` is 0.',
  isForPeople: true,
  answer: scheduledCancellationsSchema,
} as const;

export const scheduledByKeyRoutes = {
  ...defineRoutes('API keys', {
    listScheduledByKey: {
      route: 'GET /organizations/{org}/keys/{key}/scheduled',
      summary: 'Lists what an API key has scheduled',
      ...listing,
      access: inSession,
    },
    cancelScheduledByKey: {
      route: 'POST /organizations/{org}/keys/{key}/cancel-scheduled',
      summary: 'Cancels what an API key has scheduled',
      ...cancelling,
      access: inSession,
    },
  }),
  ...defineRoutes('Agents', {
    listScheduledByCredential: {
      route: 'GET /agent/credentials/{ac}/scheduled',
      summary: 'Lists what an agent has scheduled, in workspaces that you can see',
      ...listing,
      access: aboutCredentials,
    },
    cancelScheduledByCredential: {
      route: 'POST /agent/credentials/{ac}/cancel-scheduled',
      summary: 'Cancels what an agent has scheduled, in workspaces that you can see',
      ...cancelling,
      access: aboutCredentials,
    },
  }),
};
