import { sequencedId } from '../../contract/ids.ts';
import { countOpenAlerts } from '../../db/alerts/alerts.ts';
import { countOverviewChannels } from '../../db/channels/overview-channels.ts';
import {
  type OverviewStatistics,
  type OverviewView,
  readOrganizationStatistics,
} from '../../db/deliveries/organization-statistics.ts';
import { listTroubledDestinations, type TroubledDestination } from '../../db/destinations/troubled-destinations.ts';
import { type OverviewBody, overviewRoutes as routes } from '../../openapi/organizations/overview-routes.ts';
import { viewOf } from '../alerts/alert-access.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { createAnswerCache } from './answer-cache.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BUCKETS = DAY_MS / HOUR_MS;
/** Long enough that a page open on many screens costs one reading. */
const KEPT_MS = 5_000;
const MAX_ANSWER = 200;

export function mountOverviewRoutes(mount: Mount): void {
  const { deps } = mount;
  const cache = createAnswerCache<OverviewBody>({ keptMs: KEPT_MS, now: deps.now });

  mountOperation(mount, routes.getOverview, async (request) => {
    const view = await viewOf(deps.db, request, request.query.workspaceId);
    return await cache.read(JSON.stringify(view), () => readOverview(deps, view));
  });
}

async function readOverview(deps: ApiDeps, view: OverviewView): Promise<OverviewBody> {
  const { readDb } = deps;
  const until = new Date();
  const since = new Date(until.getTime() - DAY_MS);
  const dayBefore = new Date(since.getTime() - DAY_MS);
  const [current, previous, alerts, trouble, channels] = await Promise.all([
    readOrganizationStatistics(readDb, { view, since, until, bucketMs: HOUR_MS }),
    readOrganizationStatistics(readDb, { view, since: dayBefore, until: since, bucketMs: DAY_MS }),
    countOpenAlerts(readDb, view),
    listTroubledDestinations(readDb, view),
    countOverviewChannels(readDb, view),
  ]);
  const { connected, withDestination, firstPublicId: firstId, firstWorkspacePublicId: firstWorkspaceId } = channels;
  return {
    ...{ since: since.toISOString(), until: until.toISOString(), bucketSeconds: HOUR_MS / 1_000 },
    ...{ current: totalsOf(current), previous: totalsOf(previous), buckets: bucketsOf(current, since) },
    ...{ alerts, trouble: trouble.map((one) => presentTrouble(deps, one)) },
    channels: { connected, withDestination, firstId, firstWorkspaceId },
  };
}

const noCounts = { deliveryCount: 0, deliveredCount: 0, failedCount: 0, waitingCount: 0 };

function presentCounts({ deliveryCount, deliveredCount, failedCount, waitingCount }: typeof noCounts) {
  return { deliveries: deliveryCount, delivered: deliveredCount, failed: failedCount, waiting: waitingCount };
}

function totalsOf({ buckets, latencyP50Ms: p50, latencyP95Ms: p95, isComplete }: OverviewStatistics) {
  const total = buckets.reduce(
    (sum, bucket) => ({
      deliveryCount: sum.deliveryCount + bucket.deliveryCount,
      deliveredCount: sum.deliveredCount + bucket.deliveredCount,
      failedCount: sum.failedCount + bucket.failedCount,
      waitingCount: sum.waitingCount + bucket.waitingCount,
    }),
    noCounts,
  );
  return { ...presentCounts(total), latencyMs: p50 === null || p95 === null ? null : { p50, p95 }, isComplete };
}

function bucketsOf({ buckets }: OverviewStatistics, since: Date): OverviewBody['buckets'] {
  const byPosition = new Map(buckets.map((bucket) => [bucket.bucket, bucket]));
  return Array.from({ length: BUCKETS }, (_, position) => ({
    at: new Date(since.getTime() + position * HOUR_MS).toISOString(),
    ...presentCounts(byPosition.get(position) ?? noCounts),
  }));
}

function presentTrouble(deps: ApiDeps, one: TroubledDestination): OverviewBody['trouble'][number] {
  const { label, url, state, reason, since } = one;
  return {
    workspaceId: one.workspacePublicId,
    channelId: one.channelPublicId,
    channelName: one.channelName,
    destination: one.subscriptionPublicId ?? 'webhook',
    ...{ label, url, state, reason, since: since?.toISOString() ?? null },
    lastFailure: one.lastFailure && presentFailure(deps, one.lastFailure),
  };
}

function presentFailure(deps: ApiDeps, failure: NonNullable<TroubledDestination['lastFailure']>) {
  const { deliveryNumber, startedAt, outcome, status, error, responseBody } = failure;
  const deliveryId = sequencedId(deps.idKey, 'delivery', deliveryNumber);
  const body = responseBody && openBodies(deps, deliveryId).attempt(responseBody)?.toString('utf8');
  const answer = (body || error)?.slice(0, MAX_ANSWER) ?? null;
  return { deliveryId, at: startedAt.toISOString(), outcome, status, answer };
}
