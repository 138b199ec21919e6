import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import { loadTestEvent, recordTestAttempt } from '../../db/destinations/test-events.ts';
import type { SendDelivery } from '../deliveries/send-delivery.ts';
import type { Log } from '../../process/log.ts';

export type TestEventActivities = ReturnType<typeof createTestEventActivities>;

export interface TestEventDeps {
  readonly db: Knex;
  readonly sendDelivery: SendDelivery;
  readonly log: Log;
}

export function createTestEventActivities({ db, sendDelivery, log }: TestEventDeps) {
  return {
    /** Sends nothing if the attempt was already recorded. */
    async attemptTestEvent({ testEventId }: { testEventId: number }): Promise<'attempted'> {
      const test = await loadTestEvent(db, testEventId);
      if (!test) {
        throw ApplicationFailure.nonRetryable(`Test event ${testEventId} not found`, failureTypes.testEventNotFound);
      }
      if (test.isAttempted) return 'attempted';
      const { deliveryNumber: id, eventNumber: eventId, channelPublicId: channelId, ...rest } = test;
      // A person waits, so a test event does not wait behind the destination's deliveries.
      const connectionGroup = `test:${test.destinationId}`;
      const attempt = await sendDelivery({ id, eventId, channelId, connectionGroup, traceParent: null, ...rest }, 1);
      await recordTestAttempt(db, { id: testEventId, attempt });
      const { outcome, status, durationMs } = attempt;
      log.info('testEvent.attempted', { testEventId, channelId, outcome, status, durationMs });
      return 'attempted';
    },
  };
}
