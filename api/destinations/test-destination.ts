import { randomBytes } from 'node:crypto';
import type { ChannelEventType, EventType } from '../../contract/event-types.ts';
import { type IdKey, sequencedId } from '../../contract/ids.ts';
import { sampleEvent, typicalEvents } from '../../contract/webhooks/sample-event.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { takeDeliveryTurn } from '../../db/replays/delivery-turns.ts';
import { findAttemptedTest, insertTestEvent, type TestRecord } from '../../db/destinations/test-events.ts';
import { runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { OutcomeUnknown } from '../requests/errors.ts';
import { openBodies, type OpenBodies } from '../deliveries/open-bodies.ts';
import type { AttemptRecord } from '../../db/deliveries/records.ts';
import { presentAttempt } from '../deliveries/present.ts';

const NONCE_BYTES = 9;

export interface DestinationTestRequest {
  readonly channel: ChannelRecord;
  readonly destinationId: number;
  /** Null for the webhook. */
  readonly subscription: { readonly publicId: string; readonly events: readonly ChannelEventType[] } | null;
  /** Optional. Default: a typical type. */
  readonly eventType: EventType | undefined;
  readonly audit: AuditContext;
}

/**
 * The destination may be disabled. The result does not affect its circuit. A workflow sends the event, because the API
 * calls no URLs that users supply.
 */
export async function testDestination(deps: ApiDeps, request: DestinationTestRequest) {
  const { channel, subscription, audit } = request;
  const destination = subscription?.publicId ?? 'webhook';
  await takeDeliveryTurn(deps.db, request);
  const testEventId = await stage(deps, request);
  const key = { channelId: channel.publicId, testEventId };
  const targetId = subscription?.publicId ?? channel.publicId;
  const test = await runStaged({
    run: () => deps.starts.sendTestEvent({ ...key, workspaceId: channel.workspacePublicId, destination }),
    logUnanswered: ({ cause: error }) => deps.log.warn('testEvent.unanswered', { ...key, error }),
    giveUp: (state) => state === 'not_started',
    decide: async () => {
      await recordAudit(deps.db, { ...audit, action: 'destination.tested', targetId });
      return await findAttemptedTest(deps.db, testEventId);
    },
    unknown: () =>
      new OutcomeUnknown('The test did not end in time. The event may or may not have been sent. Check your receiver.'),
  });
  const subscriptionId = subscription?.publicId ?? null;
  const open = openBodies(deps, sequencedId(deps.idKey, 'delivery', test.deliveryNumber));
  return presentDestinationTest(test, { idKey: deps.idKey, channelId: channel.publicId, subscriptionId, open });
}

async function stage({ db }: ApiDeps, { channel, destinationId, subscription, ...request }: DestinationTestRequest) {
  const eventType = request.eventType ?? subscription?.events[0] ?? typicalEvents[channel.type];
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const body = sampleEvent({ eventType, resourceId: channel.resourceId, nonce, atMs: Date.now() });
  return await insertTestEvent(db, { channelId: channel.id, destinationId, eventType, body });
}

interface TestPlace {
  readonly idKey: IdKey;
  readonly channelId: string;
  readonly subscriptionId: string | null;
  readonly open: OpenBodies;
}

function presentDestinationTest(test: TestRecord & { readonly attempt: AttemptRecord }, where: TestPlace) {
  return { ...presentTestEvent(test, where), attempt: presentAttempt(test.attempt, where) };
}

export function presentTestEvent(test: TestRecord, where: TestPlace) {
  const { idKey, channelId, subscriptionId } = where;
  return {
    ...test,
    channelId,
    subscriptionId,
    deliveryId: sequencedId(idKey, 'delivery', test.deliveryNumber),
    eventId: sequencedId(idKey, 'event', test.eventNumber),
    payload: test.body.toString('utf8'),
    isTest: true as const,
    attempt: test.attempt && presentAttempt(test.attempt, where),
  };
}
