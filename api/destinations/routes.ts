import { hash } from 'node:crypto';
import { sequencedId, sequenceOf } from '../../contract/ids.ts';
import { testEventRoutes as tests } from '../../openapi/destinations/test-routes.ts';
import { destinationRoutes as routes } from '../../openapi/destinations/routes.ts';
import { DEFAULT_BUCKETS, statisticsSpan } from '../../openapi/destinations/schema.ts';
import { listDestinationHealth } from '../../db/destinations/health.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { readChannelStatistics } from '../../db/deliveries/channel-statistics.ts';
import { listTestRequests, type RecordedRequest } from '../../db/deliveries/sent-requests.ts';
import { findTest, listTests, type TestRecord } from '../../db/destinations/test-events.ts';
import { auditContext } from '../access/audit-context.ts';
import { hideWebhook } from '../access/hide-webhook.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { presentDestinationHealth } from '../staff/present.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import { readNumberedPage } from '../routing/page.ts';
import { presentTestEvent } from './test-destination.ts';
import { setDestination } from './set-destination.ts';
import { type NamedRequest, presentRequest } from '../deliveries/present-request.ts';
import { presentStatistics } from '../deliveries/present-statistics.ts';

export function mountDestinationRoutes(mount: Mount): void {
  const { db, readDb, idKey } = mount.deps;

  mountRoute(mount, routes.listChannelDestinations, async ({ principal, channel }) => {
    const { destinations } = await presentAll(channel);
    return { destinations: destinations.map((one) => hideWebhook(principal, one)) };
  });

  mountRoute(mount, routes.setDestinationOrdering, async (request) => {
    const { channel, body } = request;
    await setDestination(mount.deps, { channel, change: body, audit: auditContext(request) });
    return await presentAll(channel);
  });

  mountRoute(mount, tests.listTestEvents, async ({ channel, query }) => {
    const { id: channelId, workspaceId } = channel;
    const page = await readNumberedPage({ ...query, idKey, list: 'testEvents' }, ({ before, limit }) =>
      listTests(readDb, { channelId, workspaceId, before, limit }),
    );
    return { testEvents: page.items.map((test) => presentTest(channel, test)), nextCursor: page.nextCursor };
  });

  mountRoute(mount, tests.getTestEvent, async ({ channel, params }) => {
    return presentTest(channel, await findOneTest(channel, params.wd));
  });

  mountRoute(mount, tests.listTestEventRequests, async ({ channel, params }) => {
    const { id: channelId, workspaceId } = channel;
    const test = await findOneTest(channel, params.wd);
    const recorded = await listTestRequests(db, { channelId, workspaceId, deliveryNumber: test.deliveryNumber });
    const { deliveryId, eventId, eventType, payload } = presentTest(channel, test);
    const ids = { deliveryId, eventId, eventType };
    return { requests: recorded.map((one) => presentRequest({ ...one, ...batchOf(one, { ...ids, payload }) }, ids)) };
  });

  mountRoute(mount, routes.getChannelStatistics, async ({ principal, channel, query }) => {
    const { sinceMs, untilMs, spanMs } = statisticsSpan(query, Date.now());
    const bucketMs = spanMs / (query.buckets ?? DEFAULT_BUCKETS);
    const since = new Date(sinceMs);
    const until = new Date(untilMs);
    const span = { channelId: channel.id, workspaceId: channel.workspaceId, since, until, bucketMs };
    const { destinations, ...statistics } = presentStatistics(span, await readChannelStatistics(readDb, span));
    return { ...statistics, destinations: destinations.map((one) => hideWebhook(principal, one)) };
  });

  async function findOneTest({ id: channelId, workspaceId }: ChannelRecord, publicId: string): Promise<TestRecord> {
    const deliveryNumber = sequenceOf(idKey, 'delivery', publicId);
    const test =
      deliveryNumber === undefined ? undefined : await findTest(db, { channelId, workspaceId, deliveryNumber });
    if (!test) throw new NotFound('DELIVERY_NOT_FOUND');
    return test;
  }

  function presentTest(channel: ChannelRecord, test: TestRecord) {
    const { deliveryNumber, subscriptionPublicId: subscriptionId } = test;
    const open = openBodies(mount.deps, sequencedId(idKey, 'delivery', deliveryNumber));
    return presentTestEvent(test, { idKey, channelId: channel.publicId, subscriptionId, open });
  }

  async function presentAll(channel: ChannelRecord) {
    const health = await listDestinationHealth(db, channel.id);
    // Tenants get no links to the Temporal UI.
    return { destinations: health.map((destination) => presentDestinationHealth(destination, { channel, ui: null })) };
  }
}

/** A debounced destination gets a test event as an array of one, whose digest is not that of the event. */
function batchOf(
  { request }: RecordedRequest,
  {
    deliveryId,
    eventId,
    eventType,
    payload,
  }: Pick<ReturnType<typeof presentTestEvent>, 'deliveryId' | 'eventId' | 'eventType' | 'payload'>,
): Pick<NamedRequest, 'batch' | 'events'> {
  const isAlone = hash('sha256', payload, 'buffer').equals(request.bodySha256);
  if (isAlone) return { batch: null, events: null };
  return { batch: [deliveryId], events: [{ deliveryId, eventId, eventType, eventFlags: null, attempt: 1 }] };
}
