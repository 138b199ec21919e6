import { concurrentIndex } from './concurrent-index.ts';

/** Finds the messages of an alert. */
export const failedScheduledMessages = concurrentIndex({
  name: 'scheduled_messages_failed',
  on: "scheduled_messages (ended_at) where status in ('failed', 'unknown')",
});
