import { concurrentIndex } from './concurrent-index.ts';

/** Revoking a key lists what the key scheduled. */
export const scheduledPostsByCreator = concurrentIndex({
  name: 'scheduled_posts_by_creator',
  on: `scheduled_posts (created_by, publish_at) where status = 'scheduled'`,
});
