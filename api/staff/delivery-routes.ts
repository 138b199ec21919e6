import { sequencedId, sequenceOf } from '../../contract/ids.ts';
import { staffRoutes as routes } from '../../openapi/staff/routes.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { listAttempts, readEventBody } from '../../db/deliveries/records.ts';
import { listStaffDeliveries, type StaffDelivery } from '../../db/staff/list-staff-deliveries.ts';
import { recordStaffSearch, staffAudit } from '../access/staff-audit.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import { presentWholeDelivery } from '../deliveries/present.ts';
import { presentStaffDelivery } from './present.ts';
import { replayDelivery } from '../deliveries/replay-delivery.ts';
import { retryDelivery } from '../deliveries/retry-delivery.ts';
import { searchDeliveries } from '../deliveries/search-deliveries.ts';
import { temporalUiOf } from '../routing/temporal-links.ts';

/** The organization's audit log records every read and action. */
export function mountStaffDeliveryRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, idKey } = deps;
  const shownBy = { idKey, ui: temporalUiOf(deps) };

  mountRoute(mount, routes.searchDeliveries, async (request) => {
    const { query } = request;
    const { deliveries, nextCursor, organizationIds } = await searchDeliveries(deps, query);
    await recordStaffSearch(db, request, {
      action: 'delivery.searched',
      organizationIds,
      reason: query.reason,
      targetId:
        query.deliveryId ??
        query.eventId ??
        query.channelId ??
        query.resourceId ??
        query.workspaceId ??
        query.organizationId,
    });
    return { deliveries: deliveries.map((delivery) => presentStaffDelivery(delivery, shownBy)), nextCursor };
  });

  mountRoute(mount, routes.readStaffDelivery, async (request) => {
    const { params, query } = request;
    const delivery = await findOne(params.wd);
    const [payload, attempts] = await Promise.all([readEventBody(db, delivery.eventId), listAttempts(db, delivery.id)]);
    if (!payload) throw new NotFound('DELIVERY_NOT_FOUND');
    const audit = staffAudit(request, { ...delivery, reason: query.reason });
    await recordAudit(db, { ...audit, action: 'delivery.read', targetId: params.wd });
    return {
      ...presentWholeDelivery(delivery, { idKey, payload, attempts, open: openBodies(deps, params.wd) }),
      ...presentStaffDelivery(delivery, shownBy),
    };
  });

  mountRoute(mount, routes.retryStaffDelivery, async (request) => {
    const { params, body } = request;
    const audit = staffAudit(request, { ...(await findOne(params.wd)), reason: body.reason });
    return { deliveryId: params.wd, status: await retryDelivery(deps, { look: () => findOne(params.wd), audit }) };
  });

  mountRoute(mount, routes.replayStaffDelivery, async (request) => {
    const { params, body, idempotencyKey } = request;
    const source = await findOne(params.wd);
    const id = await replayDelivery(deps, {
      source,
      sourcePublicId: params.wd,
      workspaceId: source.workspaceId,
      destination: body.destination,
      idempotencyKey,
      audit: staffAudit(request, { ...source, reason: body.reason }),
    });
    return presentStaffDelivery(await findOne(sequencedId(idKey, 'delivery', id)), shownBy);
  });

  async function findOne(publicId: string): Promise<StaffDelivery> {
    const id = sequenceOf(idKey, 'delivery', publicId);
    const [delivery] = id === undefined ? [] : await listStaffDeliveries(db, [id]);
    if (!delivery) throw new NotFound('DELIVERY_NOT_FOUND');
    return delivery;
  }
}
