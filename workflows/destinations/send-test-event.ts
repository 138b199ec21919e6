import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { TestEventActivities } from '../../activities/destinations/test-event-activities.ts';

const { attemptTestEvent } = proxyActivities<TestEventActivities>({
  // One attempt has a 10 s deadline of its own; the rest is room for two rows.
  startToCloseTimeout: '30s',
  // A receiver's refusal is an answer. Only what is our fault comes again, for as long as somebody waits.
  scheduleToCloseTimeout: '40s',
  retry: { initialInterval: '500ms', maximumAttempts: 3 },
});

export interface SendTestEventInput {
  /** The row of the test: URL, body and answer stay in the database. */
  readonly testEventId: number;
}

/** Sends a sample event to a destination, once, for somebody who waits for what comes of it. */
export async function sendTestEvent({ testEventId }: SendTestEventInput): Promise<'attempted'> {
  const result = await attemptTestEvent({ testEventId });
  setCurrentDetails(`Ended: ${result}.`);
  return result;
}
