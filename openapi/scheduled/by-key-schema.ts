import { z } from 'zod';
import { idField, instantField } from '../definitions/fields.ts';
import { channelIdField } from '../operations/platform-fields.ts';

/** Listed by one request, and cancelled by one. */
export const MAX_SCHEDULED_BY_KEY = 100;
/** Bounds the cost of the counts. */
export const MAX_COUNTED = 10_000;

const recordFields = {
  kind: z.enum(['message', 'post']),
  id: z.string().meta({ description: 'The scheduled message (sm_) or the scheduled post (sp_).' }),
  channelId: channelIdField,
  workspaceId: idField('workspace', 'The workspace in which it was scheduled.'),
  dueAt: instantField.meta({ description: 'When it is sent or published.' }),
};

const countField = (what: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `The scheduled ${what}. At most ${MAX_COUNTED} are counted.` });

export const scheduledByKeySchema = z
  .strictObject({
    scheduled: z
      .array(z.strictObject(recordFields).meta({ id: 'ScheduledRecord' }))
      .meta({ description: `The first ${MAX_SCHEDULED_BY_KEY}, by the time at which they are due.` }),
    messageCount: countField('messages'),
    postCount: countField('posts'),
  })
  .meta({ id: 'ScheduledByKey' });
export type ScheduledByKeyBody = z.output<typeof scheduledByKeySchema>;

const cancellationSchema = z
  .strictObject({
    ...recordFields,
    outcome: z
      .enum(['cancelled', 'too_late'])
      .meta({ description: '`too_late`: the send or the container has begun, or the record has ended.' }),
  })
  .meta({ id: 'ScheduledCancellation' });

export const scheduledCancellationsSchema = z
  .strictObject({
    cancellations: z.array(cancellationSchema),
    remaining: z
      .int()
      .min(0)
      .meta({
        description: `What is still scheduled beyond the ${MAX_SCHEDULED_BY_KEY} that one request cancels. Repeat the request until it is 0.`,
      }),
  })
  .meta({ id: 'ScheduledCancellationList' });
export type ScheduledCancellationsBody = z.output<typeof scheduledCancellationsSchema>;
