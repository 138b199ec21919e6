import { concurrentIndex } from './concurrent-index.ts';

/** Lists of messages with one status, for example the few that failed among many that were sent. */
export const scheduledMessageStatuses = concurrentIndex({
  name: 'scheduled_messages_by_status',
  on: 'scheduled_messages (channel_id, status, id)',
});
