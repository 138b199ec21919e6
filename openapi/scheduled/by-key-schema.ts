import { z } from 'zod';
import { idField, instantField, namedObject } from '../definitions/fields.ts';
import { channelIdField } from '../operations/platform-fields.ts';

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

export const scheduledByKeySchema = namedObject('ScheduledByKey', {
  scheduled: z
    .array(namedObject('ScheduledRecord', recordFields))
    .describe(`The first ${MAX_SCHEDULED_BY_KEY}, by the time at which they are due.`),
  messageCount: countField('messages'),
  postCount: countField('posts'),
});
export type ScheduledByKeyBody = z.output<typeof scheduledByKeySchema>;

const cancellationSchema = namedObject('ScheduledCancellation', {
  ...recordFields,
  outcome: z
    .enum(['cancelled', 'too_late'])
    .describe('`too_late`: the send or the container has begun, or the record has ended.'),
});

export const scheduledCancellationsSchema = namedObject('ScheduledCancellationList', {
  cancellations: z.array(cancellationSchema),
  remaining: z
    .int()
    .min(0)
    .describe(
      `What is still scheduled beyond the ${MAX_SCHEDULED_BY_KEY} that one request cancels. Repeat the request until it is 0.`,
    ),
});
export type ScheduledCancellationsBody = z.output<typeof scheduledCancellationsSchema>;
