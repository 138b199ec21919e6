import type { Knex } from 'knex';
import type { StartedContainer } from '../../contract/containers/workflow.ts';
import { containerStartOf } from '../../db/containers/records.ts';
import { rescheduleUnsentPosts, startDuePost } from '../../db/containers/start-scheduled-post.ts';
import type { Log } from '../../process/log.ts';

export interface ScheduledPostStartDeps {
  readonly db: Knex;
  readonly stopping: AbortSignal;
  readonly resumeContainer: (container: StartedContainer) => Promise<void>;
  readonly log: Log;
}

/**
 * Starts the containers of all posts that are due. A container whose workflow does not start ends unsent, and its post
 * is scheduled again.
 */
export function createScheduledPostStarts(deps: ScheduledPostStartDeps): () => Promise<void> {
  const { db, stopping, resumeContainer, log } = deps;
  return async () => {
    for (const scheduledPostId of await rescheduleUnsentPosts(db)) {
      log.warn('scheduledPost.postponed', { scheduledPostId });
    }
    while (!stopping.aborted) {
      const started = await startDuePost(db);
      if (!started) return;
      const { publicId: scheduledPostId, container } = started;
      log.info('scheduledPost.started', { scheduledPostId, containerId: container?.publicId ?? null });
      if (container) await resumeContainer(containerStartOf(container));
    }
  };
}
