import { type IdKey, sequencedId } from '../../contract/ids.ts';
import type { DestinationTestBody, TestEventBody } from '../../openapi/destinations/test-routes.ts';
import type { TestRecord } from '../../db/destinations/test-events.ts';
import type { AttemptRecord } from '../../db/deliveries/records.ts';
import type { OpenBodies } from '../deliveries/open-bodies.ts';
import { presentAttempt } from '../deliveries/present.ts';

export interface TestPlace {
  readonly idKey: IdKey;
  readonly channelId: string;
  readonly subscriptionId: string | null;
  readonly open: OpenBodies;
}

export function presentDestinationTest(
  { attempt, ...test }: TestRecord & { readonly attempt: AttemptRecord },
  where: TestPlace,
): DestinationTestBody {
  return { ...factsOf(test, where), attempt: presentAttempt(attempt, where) };
}

export function presentTestEvent(test: TestRecord, where: TestPlace): TestEventBody {
  const { attempt, createdAt } = test;
  return {
    ...factsOf(test, where),
    isTest: true,
    createdAt: createdAt.toISOString(),
    attempt: attempt && presentAttempt(attempt, where),
  };
}

function factsOf(test: Omit<TestRecord, 'attempt'>, { idKey, channelId, subscriptionId }: TestPlace) {
  return {
    channelId,
    subscriptionId,
    url: test.url,
    eventType: test.eventType,
    deliveryId: sequencedId(idKey, 'delivery', test.deliveryNumber),
    eventId: sequencedId(idKey, 'event', test.eventNumber),
    payload: test.body.toString('utf8'),
  };
}
