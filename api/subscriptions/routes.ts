import { sequencedId } from '../../contract/ids.ts';
import { subscriptionRoutes as routes } from '../../openapi/subscriptions/routes.ts';
import { MAX_SUBSCRIPTIONS } from '../../openapi/definitions/destination-fields.ts';
import { insertDestination } from '../../db/ledger/destinations/destinations.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import {
  commitSubscription,
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  listSubscriptions,
  type Subscription,
} from '../../db/subscriptions/subscriptions.ts';
import { auditContext } from '../access/audit-context.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import { editSubscription, requireAllowed } from './edit-subscription.ts';
import { InvalidRequest, NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import { testDestination } from '../destinations/test-destination.ts';

export function mountSubscriptionRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, idKey, starts } = deps;

  mountRoute(mount, routes.createSubscription, async (request) => {
    const { channel, body } = request;
    const url = parseUrl(deps, 'url', body.url);
    if ((await countSubscriptions(db, channel.id)) >= MAX_SUBSCRIPTIONS) throw tooMany();
    const destinationId = await insertDestination(db, {
      channelId: channel.id,
      type: 'subscription',
      url,
      eventTypes: [...new Set(body.events)],
      label: body.label ?? null,
      enabled: body.enabled ?? true,
      staged: true,
    });
    await requireAllowed(deps, { channel, destinationId });
    const publicId = await commitSubscription(db, {
      channelId: channel.id,
      destinationId,
      max: MAX_SUBSCRIPTIONS,
      audit: auditContext(request),
    });
    if (publicId === undefined) throw tooMany();
    return await presentOne(channel, publicId);
  });

  mountRoute(mount, routes.getSubscription, ({ channel, params }) => presentOne(channel, params.sub));

  mountRoute(mount, routes.listSubscriptions, async ({ channel, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listSubscriptions(db, { channelId: channel.id, ...after }),
    );
    return { subscriptions: page.items.map(present), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.editSubscription, async (request) => {
    const { channel, params, body } = request;
    await editSubscription(deps, { channel, publicId: params.sub, change: body, audit: auditContext(request) });
    return await presentOne(channel, params.sub);
  });

  mountRoute(mount, routes.deleteSubscription, async (request) => {
    const { channel, params } = request;
    const key = { channelId: channel.id, publicId: params.sub };
    const ended = await deleteSubscription(db, { ...key, audit: auditContext(request) });
    if (!ended) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
    starts.cancelDeliveries(ended.retrying.map((id) => sequencedId(idKey, 'delivery', id)));
  });

  mountRoute(mount, routes.testSubscription, async (request) => {
    const { channel, params, body } = request;
    const subscription = await findSubscription(db, { channelId: channel.id, publicId: params.sub });
    if (!subscription) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
    const { destinationId } = subscription;
    const test = { channel, destinationId, subscription, eventType: body.eventType };
    return await testDestination(deps, { ...test, audit: auditContext(request) });
  });

  async function presentOne(channel: ChannelRecord, publicId: string) {
    const subscription = await findSubscription(db, { channelId: channel.id, publicId });
    if (!subscription) throw new NotFound('SUBSCRIPTION_NOT_FOUND');
    return { subscription: present(subscription) };
  }
}

const present = (subscription: Subscription) => ({ ...subscription, subscriptionId: subscription.publicId });

const tooMany = (): InvalidRequest => new InvalidRequest(`A channel has at most ${MAX_SUBSCRIPTIONS} subscriptions.`);
