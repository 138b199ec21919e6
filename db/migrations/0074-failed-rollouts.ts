import { concurrentIndex } from './concurrent-index.ts';

/** Finds the new channels of an alert. */
export const failedRollouts = concurrentIndex({
  name: 'webhook_rollouts_failed',
  on: 'webhook_rollouts (channel_id) where channel_id is not null and failed > 0',
});
