import type { Knex } from 'knex';
import type { StartedScheduledMessage } from '../../contract/operations/scheduled-message.ts';
import { claimDueStarts, releaseStart } from '../../db/operations/due-messages.ts';
import type { Log } from '../../process/log.ts';

/** As many starts are under way at once. */
const BATCH_SIZE = 50;

export interface ScheduledMessageStartDeps {
  readonly db: Knex;
  readonly stopping: AbortSignal;
  readonly startScheduledMessage: (message: StartedScheduledMessage) => Promise<void>;
  readonly log: Log;
}

/** Starts the workflows of all messages that are due within seconds, for example those of a full hour. */
export function createScheduledMessageStarts(deps: ScheduledMessageStartDeps): () => Promise<void> {
  const { db, stopping, startScheduledMessage, log } = deps;
  return async () => {
    let count: number;
    do {
      const claimed = await claimDueStarts(db, { limit: BATCH_SIZE });
      count = claimed.length;
      const started = await Promise.allSettled(claimed.map((message) => startOrRelease(message)));
      const failed = started.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    } while (count === BATCH_SIZE && !stopping.aborted);
  };

  async function startOrRelease(message: Parameters<typeof startScheduledMessage>[0]): Promise<void> {
    const { scheduledMessageId } = message;
    try {
      await startScheduledMessage(message);
      log.info('scheduledMessage.started', { scheduledMessageId });
    } catch (error) {
      await releaseStart(db, { publicId: scheduledMessageId });
      throw error;
    }
  }
}
