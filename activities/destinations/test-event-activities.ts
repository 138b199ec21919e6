import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import type { AttemptOutcome } from '../../contract/deliveries/status.ts';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
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

/** Shorter than a delivery's 10 s, because a person waits and others wait for the slot. */
const MAX_TIMEOUT_SECONDS = 7;
/** For a connection. */
const MAX_WAIT_MS = 3_000;

function inTime(options: DestinationOptions | null): DestinationOptions {
  return { ...options, timeoutSeconds: Math.min(options?.timeoutSeconds ?? MAX_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS) };
}

export function createTestEventActivities({ db, sendDelivery, log }: TestEventDeps) {
  return {
    /** Sends nothing if the attempt was already recorded. Returns its outcome. */
    async attemptTestEvent({ testEventId }: { testEventId: number }): Promise<AttemptOutcome> {
      const test = await loadTestEvent(db, testEventId);
      if (!test) {
        throw ApplicationFailure.nonRetryable(`Test event ${testEventId} not found`, failureTypes.testEventNotFound);
      }
      if (test.outcome !== null) return test.outcome;
      const { deliveryNumber: id, eventNumber: eventId, channelPublicId: channelId, options, ...rest } = test;
      // A person waits, so a test event does not wait behind the destination's deliveries.
      const connectionGroup = `test:${test.destinationId}`;
      const ids = { id, eventId, channelId, connectionGroup, maxWaitMs: MAX_WAIT_MS };
      const attempt = await sendDelivery({ ...ids, traceParent: null, ...rest, options: inTime(options) }, 1);
      await recordTestAttempt(db, { id: testEventId, attempt });
      const { outcome, status, durationMs } = attempt;
      log.info('testEvent.attempted', { testEventId, channelId, outcome, status, durationMs });
      return outcome;
    },
  };
}
