import { type IdKey, sequencedId } from '../../contract/ids.ts';
import type { DestinationTestBody } from '../../contract/schemas/destination-test.ts';
import type { AttemptedTest } from '../../db/test-events.ts';
import { presentAttempt } from './delivery.ts';

export function presentDestinationTest(
  test: AttemptedTest,
  where: { readonly idKey: IdKey; readonly channelId: string; readonly subscriptionId: string | null },
): DestinationTestBody {
  const { idKey, channelId, subscriptionId } = where;
  return {
    channelId,
    subscriptionId,
    url: test.url,
    eventType: test.eventType,
    deliveryId: sequencedId(idKey, 'delivery', test.deliveryNumber),
    eventId: sequencedId(idKey, 'event', test.eventNumber),
    payload: test.body.toString('utf8'),
    attempt: presentAttempt(test.attempt),
  };
}
