import { type IdKey, sequencedId } from '../../contract/ids.ts';
import type { DestinationTestBody } from '../../openapi/destinations/test-schema.ts';
import type { AttemptedTest } from '../../db/destinations/test-events.ts';
import type { OpenBodies } from '../deliveries/open-bodies.ts';
import { presentAttempt } from '../deliveries/present.ts';

export interface TestPlace {
  readonly idKey: IdKey;
  readonly channelId: string;
  readonly subscriptionId: string | null;
  readonly open: OpenBodies;
}

export function presentDestinationTest(test: AttemptedTest, where: TestPlace): DestinationTestBody {
  const { idKey, channelId, subscriptionId, open } = where;
  return {
    channelId,
    subscriptionId,
    url: test.url,
    eventType: test.eventType,
    deliveryId: sequencedId(idKey, 'delivery', test.deliveryNumber),
    eventId: sequencedId(idKey, 'event', test.eventNumber),
    payload: test.body.toString('utf8'),
    attempt: presentAttempt(test.attempt, open),
  };
}
