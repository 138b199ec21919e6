import { statisticsRoutes as routes } from '../../contract/routes/statistics.ts';
import { DEFAULT_BUCKETS, DEFAULT_SPAN_MS } from '../../contract/schemas/statistics.ts';
import { listDestinationHealth } from '../../db/queries/channel-health.ts';
import { readChannelStatistics } from '../../db/queries/channel-statistics.ts';
import { InvalidRequest } from '../errors.ts';
import { type Mount, mountOperation } from '../operation.ts';
import { presentDestinationHealth } from '../presenters/staff.ts';
import { presentStatistics } from '../presenters/statistics.ts';

/** As long as deliveries are kept by default, and then some: a longer span is a slip. */
const MAX_SPAN_MS = 366 * 24 * 60 * 60_000;

export function mountStatisticsRoutes(mount: Mount): void {
  const { db } = mount.deps;

  mountOperation(mount, routes.listChannelDestinations, async ({ channel }) => {
    const health = await listDestinationHealth(db, channel.id);
    // Workflows are the operators': tenants get no links to them.
    return { destinations: health.map((destination) => presentDestinationHealth(destination, { channel, ui: null })) };
  });

  mountOperation(mount, routes.getChannelStatistics, async ({ channel, query }) => {
    const until = query.until === undefined ? new Date() : new Date(query.until);
    const since = new Date(query.since ?? until.getTime() - DEFAULT_SPAN_MS);
    const spanMs = until.getTime() - since.getTime();
    if (spanMs <= 0) throw new InvalidRequest('query.until: must be after since.');
    if (spanMs > MAX_SPAN_MS) throw new InvalidRequest('query.since: must be within a year before until.');
    const bucketMs = spanMs / (query.buckets ?? DEFAULT_BUCKETS);
    const span = { channelId: channel.id, workspaceId: channel.workspaceId, since, until, bucketMs };
    return presentStatistics(span, await readChannelStatistics(db, span));
  });
}
