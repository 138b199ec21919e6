import { concurrentIndex } from './concurrent-index.ts';

/** Revoking a key lists what the key scheduled. */
export const scheduledMessagesByCreator = concurrentIndex({
  name: 'scheduled_messages_by_creator',
  on: `scheduled_messages (created_by, send_at) where status = 'scheduled'`,
});
