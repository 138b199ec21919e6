import { staffRoutes as routes } from '../../openapi/staff/routes.ts';
import { DEFAULT_UNROUTED_SENT } from '../../openapi/staff/schema.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { listUnroutedRecords } from '../../db/staff/list-unrouted-records.ts';
import { listUnsentEvents, markSentEvents } from '../../db/staff/unrouted-events.ts';
import { recordStaffSearch, staffAudit } from '../access/staff-audit.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import { Conflict, ServiceUnavailable } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { readNumberedPage } from '../routing/page.ts';

export function mountUnroutedRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db, readDb, acceptEvents } = deps;

  mountOperation(mount, routes.listUnroutedEvents, async (request) => {
    const { query } = request;
    const { type, resourceId, reason } = query;
    const page = await readNumberedPage(query, (range) => listUnroutedRecords(readDb, { type, resourceId, ...range }));
    const act = { action: 'unroutedEvent.searched', organizationIds: [], reason, targetId: resourceId };
    await recordStaffSearch(db, request, act);
    const events = page.items.map(({ type, resourceId, sizeBytes, createdAt, sentAt }) => {
      const receivedAt = createdAt.toISOString();
      return { type, resourceId, sizeBytes, receivedAt, sentAt: sentAt?.toISOString() ?? null };
    });
    return { events, nextCursor: page.nextCursor };
  });

  /** In order, as the platform's own requests: what the channel has accepted before is a duplicate. */
  mountOperation(mount, routes.sendUnroutedEvents, async (request) => {
    const { channel, body } = request;
    const { id: channelId, publicId, type, resourceId } = channel;
    if (!channel.connected)
      throw new Conflict('CHANNEL_DISCONNECTED', 'The channel is disconnected. Connect it first.');
    if (!acceptEvents) throw new ServiceUnavailable('This process accepts no events.');
    const limit = body.limit ?? DEFAULT_UNROUTED_SENT;
    const found = await listUnsentEvents(db, { type, resourceId, limit: limit + 1 });
    const events = found.slice(0, limit);
    const audit = staffAudit(request, { ...channel, reason: body.reason });
    await recordAudit(db, { ...audit, action: 'unroutedEvent.sent', targetId: publicId });
    const { payload } = openBodies(deps, publicId);
    for (const event of events) await acceptEvents(payload(event.body));
    const sentCount = await markSentEvents(db, { channelId, ids: events.map(({ id }) => id) });
    return { channelId: publicId, sentCount, hasMore: found.length > limit };
  });
}
