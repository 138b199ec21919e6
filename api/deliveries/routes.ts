import { sequencedId, sequenceOf } from '../../contract/ids.ts';
import { deliveryRoutes as routes } from '../../openapi/deliveries/routes.ts';
import type { DeliveryListQuery, DeliverySummaryBody } from '../../openapi/deliveries/schema.ts';
import { cancelDelivery } from '../../db/ledger/cancel-delivery.ts';
import { type DeliveryPage, listDeliveryRecords } from '../../db/deliveries/list-delivery-records.ts';
import { findDeliveryRecord } from '../../db/deliveries/read-delivery-rows.ts';
import { listAttempts, readEventBody } from '../../db/deliveries/records.ts';
import { listSentRequests } from '../../db/deliveries/sent-requests.ts';
import { auditContext } from '../access/audit-context.ts';
import { channelOfScope, type WorkspaceCaller } from './channel-of-scope.ts';
import { hideWebhook } from '../access/hide-webhook.ts';
import { requireChannel } from '../access/portal-channels.ts';
import { Conflict, NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { openBodies } from './open-bodies.ts';
import { invalidCursor, readPage } from '../routing/page.ts';
import { presentDelivery, presentWholeDelivery } from './present.ts';
import { nameEvents, presentRequest } from './present-request.ts';
import { replayDelivery } from './replay-delivery.ts';
import { retryDelivery } from './retry-delivery.ts';

export function mountDeliveryRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, readDb, idKey, temporal } = deps;

  mountOperation(mount, routes.listDeliveries, async ({ query, ...request }) => {
    const filter = await filterOf(request, query);
    const page = await readPage(query.limit, {
      read: (limit) => listDeliveryRecords(readDb, { ...filter, limit }),
      cursorOf: ({ id }) => sequencedId(idKey, 'delivery', id),
    });
    const deliveries = page.items.map((item) => asSeen(request, presentDelivery(item, idKey)));
    return { deliveries, nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getDelivery, async ({ params, ...request }) => {
    const delivery = await findOne(request, params.wd);
    const [payload, attempts] = await Promise.all([readEventBody(db, delivery.eventId), listAttempts(db, delivery.id)]);
    if (!payload) throw new NotFound('DELIVERY_NOT_FOUND');
    const open = openBodies(deps, params.wd);
    return asSeen(request, presentWholeDelivery(delivery, { idKey, payload, attempts, open }));
  });

  mountOperation(mount, routes.listDeliveryRequests, async ({ params, ...request }) => {
    const delivery = await findOne(request, params.wd);
    const recorded = await listSentRequests(db, delivery.id);
    return {
      requests: recorded.map((one) => presentRequest(nameEvents(one, idKey), presentDelivery(delivery, idKey))),
    };
  });

  mountOperation(mount, routes.retryDelivery, async (request) => {
    const { params } = request;
    const look = () => findOne(request, params.wd);
    const status = await retryDelivery(deps, { look, audit: auditContext(request) });
    return { deliveryId: params.wd, status };
  });

  mountOperation(mount, routes.cancelDelivery, async (request) => {
    const { params } = request;
    const { id } = await findOne(request, params.wd);
    const audit = { ...auditContext(request), action: 'delivery.cancelled', targetId: params.wd };
    const was = await cancelDelivery(db, { id, audit });
    if (was === undefined) throw new Conflict('DELIVERY_ENDED', 'The delivery has ended already.');
    if (was === 'retrying') temporal.cancelDeliveries([params.wd]);
    return { deliveryId: params.wd, status: 'cancelled' as const };
  });

  mountOperation(mount, routes.replayDelivery, async (request) => {
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

  async function filterOf(caller: WorkspaceCaller, query: DeliveryListQuery): Promise<Omit<DeliveryPage, 'limit'>> {
    const { workspace } = caller;
    const channelId = await channelOfScope(db, caller, query.scope);
    const before = query.cursor && sequenceOf(idKey, 'delivery', query.cursor);
    if (query.cursor !== undefined && before === undefined) throw invalidCursor();
    return {
      workspaceId: workspace.id,
      channelId,
      statuses: query.status,
      eventTypes: query.eventType,
      since: query.since === undefined ? undefined : new Date(query.since),
      destination: query.destination,
      sender: query.sender,
      platformMessageId: query.platformMessageId,
      until: query.until === undefined ? undefined : new Date(query.until),
      before: typeof before === 'number' ? before : undefined,
    };
  }
}

function asSeen<Delivery extends Pick<DeliverySummaryBody, 'destination'>>(
  { principal }: Pick<WorkspaceCaller, 'principal'>,
  delivery: Delivery,
): Delivery {
  const { destination } = delivery;
  return { ...delivery, destination: destination && hideWebhook(principal, destination) };
}
