import { destinationRoutes as routes } from '../../openapi/destinations/routes.ts';
import { DEFAULT_BUCKETS, statisticsSpan } from '../../openapi/destinations/schema.ts';
import { changeDestination } from '../../db/destinations/change-destination.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { listDestinationHealth } from '../../db/destinations/health.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { readChannelStatistics } from '../../db/deliveries/channel-statistics.ts';
import { auditContext } from '../access/audit-context.ts';
import { NotFound, WebhookNotSet } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { presentDestinationHealth } from '../staff/present.ts';
import { presentStatistics } from '../deliveries/present-statistics.ts';

export function mountStatisticsRoutes(mount: Mount): void {
  const { db, readDb } = mount.deps;

  mountOperation(mount, routes.listChannelDestinations, ({ channel }) => presentAll(channel));

  mountOperation(mount, routes.setDestinationOrdering, async (request) => {
    const { channel, body } = request;
    const { destination, ordering, sendsTraceParent } = body;
    const subscriptionId = destination === 'webhook' ? null : destination;
    await db.transaction(async (trx) => {
      const change = { channelId: channel.id, subscriptionId, ordering, sendsTraceParent };
      if (!(await changeDestination(trx, change))) {
        throw subscriptionId === null ? new WebhookNotSet() : new NotFound('SUBSCRIPTION_NOT_FOUND');
      }
      const targetId = subscriptionId ?? channel.publicId;
      const audit = { ...auditContext(request), targetId };
      if (ordering !== undefined) await recordAudit(trx, { ...audit, action: 'destination.ordered' });
      if (sendsTraceParent !== undefined) {
        const action = sendsTraceParent ? 'destination.trace_header_enabled' : 'destination.trace_header_disabled';
        await recordAudit(trx, { ...audit, action });
      }
    });
    return await presentAll(channel);
  });

  mountOperation(mount, routes.getChannelStatistics, async ({ channel, query }) => {
    const { sinceMs, untilMs, spanMs } = statisticsSpan(query, Date.now());
    const bucketMs = spanMs / (query.buckets ?? DEFAULT_BUCKETS);
    const [since, until] = [new Date(sinceMs), new Date(untilMs)];
    const span = { channelId: channel.id, workspaceId: channel.workspaceId, since, until, bucketMs };
    return presentStatistics(span, await readChannelStatistics(readDb, span));
  });

  async function presentAll(channel: ChannelRecord) {
    const health = await listDestinationHealth(db, channel.id);
    // Tenants get no links to the Temporal UI.
    return { destinations: health.map((destination) => presentDestinationHealth(destination, { channel, ui: null })) };
  }
}
