import { destinationRoutes as routes } from '../../openapi/destinations/routes.ts';
import { DEFAULT_BUCKETS, statisticsSpan } from '../../openapi/destinations/schema.ts';
import { setOrdering } from '../../db/destinations/set-ordering.ts';
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
    const { destination, ordering } = body;
    const subscriptionId = destination === 'webhook' ? null : destination;
    await db.transaction(async (trx) => {
      if (!(await setOrdering(trx, { channelId: channel.id, subscriptionId, ordering }))) {
        throw subscriptionId === null ? new WebhookNotSet() : new NotFound('SUBSCRIPTION_NOT_FOUND');
      }
      const targetId = subscriptionId ?? channel.publicId;
      await recordAudit(trx, { ...auditContext(request), action: 'destination.ordered', targetId });
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
