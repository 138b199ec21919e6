import { staffRoutes as routes } from '../../openapi/staff/routes.ts';
import { DEFAULT_UNROUTED_SENT } from '../../openapi/staff/schema.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { listUnroutedRecords } from '../../db/staff/unrouted-events.ts';
import { recordStaffSearch, staffAudit } from '../access/staff-audit.ts';
import { Conflict, InvalidRequest, ServiceUnavailable } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { cursorOfNumber, numberOfCursor, readNumberedPage } from '../routing/page.ts';
import { sendUnroutedEvents } from './send-unrouted-events.ts';

export function mountUnroutedRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, readDb, acceptEvents } = deps;
  const sending = { idKey: deps.idKey, list: 'sendUnroutedEvents' };

  mountRoute(mount, routes.listUnroutedEvents, async (request) => {
    const { query } = request;
    const { type, resourceId, reason } = query;
    const page = await readNumberedPage({ ...query, idKey: deps.idKey, list: 'unroutedEvents' }, (range) =>
      listUnroutedRecords(readDb, { type, resourceId, ...range }),
    );
    const act = { action: 'unroutedEvent.searched', organizationIds: [], reason, targetId: resourceId };
    await recordStaffSearch(db, request, act);
    const events = page.items.map((event) => ({ ...event, receivedAt: event.createdAt }));
    return { events, nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.sendUnroutedEvents, async (request) => {
    const { channel, body } = request;
    if (!channel.connected)
      throw new Conflict('CHANNEL_DISCONNECTED', 'The channel is disconnected. Connect it first.');
    if (!acceptEvents) throw new ServiceUnavailable('This process accepts no events.');
    const { limit = DEFAULT_UNROUTED_SENT, cursor } = body;
    const after = cursor === undefined ? undefined : numberOfCursor(sending, cursor);
    if (cursor !== undefined && after === undefined)
      throw new InvalidRequest('body.cursor: not a cursor of this call.');
    const audit = staffAudit(request, { ...channel, reason: body.reason });
    await recordAudit(db, { ...audit, action: 'unroutedEvent.sent', targetId: channel.publicId });
    const sent = await sendUnroutedEvents(deps, { channel, after, limit, accept: acceptEvents });
    const { sentCount, skippedCount, lastId } = sent;
    const nextCursor = lastId === null ? null : cursorOfNumber(sending, lastId);
    return { channelId: channel.publicId, sentCount, skippedCount, hasMore: lastId !== null, nextCursor };
  });
}
