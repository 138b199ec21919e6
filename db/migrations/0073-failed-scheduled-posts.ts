import { concurrentIndex } from './concurrent-index.ts';

/** Finds the posts of an alert. */
export const failedScheduledPosts = concurrentIndex({
  name: 'scheduled_posts_failed',
  on: "scheduled_posts (ended_at) where status = 'failed'",
});
