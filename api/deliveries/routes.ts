import { sequencedId, sequenceOf } from '../../contract/ids.ts';
import { deliveryRoutes as routes } from '../../openapi/deliveries/routes.ts';
import type { DeliveryBody, DeliverySummaryBody } from '../../openapi/deliveries/schema.ts';
import { cancelDelivery } from '../../db/ledger/cancel-delivery.ts';
import { nameActor } from '../../db/audit/name-actor.ts';
import { findDeliveryRecord, listAttempts, readEventBody } from '../../db/deliveries/records.ts';
import { listSentRequests } from '../../db/deliveries/sent-requests.ts';
import { auditContext } from '../access/audit-context.ts';
import type { WorkspaceCaller } from './channel-of-scope.ts';
import { countDeliveries } from './count-deliveries.ts';
import { filterOf, listDeliveries, loadListDetails } from './list-deliveries.ts';
import { bucketSpanOf, presentHistogram, presentDelivery, presentWholeDelivery } from './present.ts';
import { requireChannel } from '../access/portal-channels.ts';
import { seesPeople } from '../access/shown-people.ts';
import { Conflict, NotFound } from '../requests/errors.ts';
import type { Principal } from '../requests/state.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { openBodies } from './open-bodies.ts';
import { nameEvents, presentRequest } from './present-request.ts';
import { replayDelivery } from './replay-delivery.ts';
import { retryDelivery } from './retry-delivery.ts';
import type { DeliveryListItemBody } from '../../openapi/deliveries/list-schema.ts';
import { hideWebhook } from '../access/hide-webhook.ts';

export function mountDeliveryRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, idKey, starts } = deps;

  mountRoute(mount, routes.listDeliveries, async ({ query, ...request }) => {
    const { deliveries, nextCursor, search } = await listDeliveries(deps, { caller: request, query });
    const detailsOf = await loadListDetails(deps, { deliveries, include: query.include });
    return {
      deliveries: deliveries.map((one) => asSeen(request, { ...presentDelivery(one, idKey), ...detailsOf(one) })),
      nextCursor,
      ...(search && { search }),
    };
  });

  mountRoute(mount, routes.countDeliveries, async ({ query, ...request }) => {
    const span = bucketSpanOf(query, Date.now());
    const filter = await filterOf(deps, { caller: request, query });
    return presentHistogram(span, await countDeliveries(deps, { filter, search: query.search, span }));
  });

  mountRoute(mount, routes.getDelivery, async ({ params, ...request }) => {
    const delivery = await findOne(request, params.wd);
    const [payload, attempts] = await Promise.all([readEventBody(db, delivery.eventId), listAttempts(db, delivery.id)]);
    if (!payload) throw new NotFound('DELIVERY_NOT_FOUND');
    const open = openBodies(deps, params.wd);
    const whole = presentWholeDelivery(delivery, { idKey, payload, attempts, open });
    return asSeen(request, { ...whole, cancellation: await nameCanceller(request.principal, whole.cancellation) });
  });

  mountRoute(mount, routes.listDeliveryRequests, async ({ params, ...request }) => {
    const delivery = await findOne(request, params.wd);
    const recorded = await listSentRequests(db, delivery.id);
    return {
      requests: recorded.map((one) =>
        presentRequest(nameEvents(one, idKey), {
          ...presentDelivery(delivery, idKey),
          eventFlags: delivery.eventFlags,
        }),
      ),
    };
  });

  mountRoute(mount, routes.retryDelivery, async (request) => {
    const { params } = request;
    const look = () => findOne(request, params.wd);
    const status = await retryDelivery(deps, { look, audit: auditContext(request) });
    return { deliveryId: params.wd, status };
  });

  /** Cancelling a cancelled delivery changes nothing. */
  mountRoute(mount, routes.cancelDelivery, async (request) => {
    const { params } = request;
    const { id } = await findOne(request, params.wd);
    const audit = { ...auditContext(request), action: 'delivery.cancelled', targetId: params.wd };
    const was = await cancelDelivery(db, { id, audit });
    if (was === 'retrying') starts.cancelDeliveries([params.wd]);
    if (was === undefined) {
      const { status } = await findOne(request, params.wd);
      if (status !== 'cancelled') throw new Conflict('DELIVERY_ENDED', `The delivery has ended: ${status}.`);
    }
    return { deliveryId: params.wd, status: 'cancelled' as const };
  });

  mountRoute(mount, routes.replayDelivery, async (request) => {
    const { workspace, params, body, idempotencyKey } = request;
    const source = await findOne(request, params.wd);
    const id = await replayDelivery(deps, {
      source,
      sourcePublicId: params.wd,
      workspaceId: workspace.id,
      destination: body.destination,
      idempotencyKey,
      audit: auditContext(request),
    });
    return asSeen(request, presentDelivery(await findOne(request, sequencedId(idKey, 'delivery', id)), idKey));
  });

  async function findOne({ principal, workspace }: WorkspaceCaller, publicId: string) {
    const id = sequenceOf(idKey, 'delivery', publicId);
    const delivery = id === undefined ? undefined : await findDeliveryRecord(db, { id, workspaceId: workspace.id });
    if (!delivery) throw new NotFound('DELIVERY_NOT_FOUND');
    requireChannel(principal, delivery.channelPublicId, 'DELIVERY_NOT_FOUND');
    return delivery;
  }

  async function nameCanceller(caller: Principal, cancellation: DeliveryBody['cancellation']) {
    const by = cancellation?.by;
    if (!by || (by.type === 'user' && !seesPeople(caller))) return cancellation;
    return { ...cancellation, by: { ...by, name: await nameActor(db, by) } };
  }
}

type Seen = DeliverySummaryBody & Partial<Pick<DeliveryBody, 'attempts'>> & Pick<DeliveryListItemBody, 'lastAttempt'>;

/** Hides from a portal the address of the webhook, also as it was, and who of the organization cancelled a delivery. */
function asSeen<Delivery extends Seen>({ principal }: { readonly principal: Principal }, delivery: Delivery): Delivery {
  const { destination, cancellation, attempts, lastAttempt } = delivery;
  if (!principal.portal) return delivery;
  const isHidden = destination?.type !== 'subscription';
  return {
    ...delivery,
    destination: destination && hideWebhook(principal, destination),
    cancellation: cancellation && { ...cancellation, by: cancellation.by?.type === 'portal' ? cancellation.by : null },
    ...(attempts && isHidden && { attempts: attempts.map((attempt) => ({ ...attempt, url: null })) }),
    ...(lastAttempt && isHidden && { lastAttempt: { ...lastAttempt, url: null } }),
  };
}
