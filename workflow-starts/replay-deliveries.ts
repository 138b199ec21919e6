import type { Client } from '@temporalio/client';
import { replayWorkflowStart, type ReplayStart } from '../contract/replays/replay.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import { replayMoved } from '../workflows/messages/messages.ts';
import type { replayDeliveries } from '../workflows/replays/replay-deliveries.ts';
import { startAndAwait } from './start-and-await.ts';
import type { Started } from './workflow-starts.ts';

const CALL_DEADLINE_MS = 5_000;

/**
 * Tells the workflow of a replay to look at its row, and starts it where none runs. What cannot be told now, a worker
 * notices by itself: the row is what counts.
 */
export async function signalReplayMoved(client: Client, replay: ReplayStart): Promise<Started<'signalled'>> {
  const { workflowType, keywords, ...options } = replayWorkflowStart(replay);
  return await startAndAwait(
    () =>
      client.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
        client.workflow.signalWithStart<typeof replayDeliveries>(workflowType, {
          ...options,
          signal: replayMoved,
          typedSearchAttributes: keywordAttributes(keywords),
        }),
      ),
    () => Promise.resolve('signalled' as const),
  );
}
