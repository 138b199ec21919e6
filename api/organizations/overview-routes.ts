import { sequencedId } from '../../contract/ids.ts';
import { countOpenAlerts } from '../../db/alerts/alerts.ts';
import { countOverviewChannels } from '../../db/channels/overview-channels.ts';
import {
  type OverviewStatistics,
  type OverviewView,
  readOrganizationStatistics,
} from '../../db/deliveries/organization-statistics.ts';
import { listTroubledDestinations, type TroubledDestination } from '../../db/destinations/troubled-destinations.ts';
import { overviewRoutes as routes } from '../../openapi/organizations/overview-routes.ts';
import { viewOf } from '../alerts/alert-access.ts';
import { openBodies } from '../deliveries/open-bodies.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';

interface AnswerCache<Answer> {
  /** Callers that come while the answer is read share it. A failure is not kept. */
  read(key: string, load: () => Promise<Answer>): Promise<Answer>;
}

interface AnswerCacheOptions {
  readonly keptMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Optional. Default: 500. The oldest answer makes room. */
  readonly maxAnswers?: number;
}

/** Returns answers that are some seconds old, so that many open pages cost one reading. */
function createAnswerCache<Answer>({ keptMs, now, maxAnswers = 500 }: AnswerCacheOptions): AnswerCache<Answer> {
  const answers = new Map<string, { readonly answer: Promise<Answer>; readonly untilMs: number }>();
  return {
    async read(key, load) {
      const kept = answers.get(key);
      if (kept && kept.untilMs > now()) return await kept.answer;
      const answer = load();
      const entry = { answer, untilMs: now() + keptMs };
      answers.delete(key);
      answers.set(key, entry);
      const [oldest] = answers.keys();
      if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
      try {
        return await answer;
      } catch (error) {
        if (answers.get(key) === entry) answers.delete(key);
        throw error;
      }
    },
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Long enough that a page open on many screens costs one reading. */
const KEPT_MS = 5_000;
/** The day before changes little, and costs as much to read as the last one. */
const PREVIOUS_KEPT_MS = 5 * 60_000;
const MAX_ANSWER = 200;

export function mountOverviewRoutes(mount: Mount): void {
  const { deps } = mount;
  const { now } = deps;
  const cache = createAnswerCache<Awaited<ReturnType<typeof readOverview>>>({ keptMs: KEPT_MS, now });
  const daysBefore = createAnswerCache<OverviewStatistics>({ keptMs: PREVIOUS_KEPT_MS, now });

  mountRoute(mount, routes.getOverview, async (request) => {
    const view = await viewOf(deps.db, request, request.query.workspaceId);
    const key = JSON.stringify(view);
    const readPrevious: ReadPrevious = (span) =>
      daysBefore.read(key, () => readOrganizationStatistics(deps.readDb, { view, ...span, bucketMs: DAY_MS }));
    return await cache.read(key, () => readOverview(deps, { view, readPrevious }));
  });
}

type ReadPrevious = (span: { readonly since: Date; readonly until: Date }) => Promise<OverviewStatistics>;

interface OverviewReading {
  readonly view: OverviewView;
  readonly readPrevious: ReadPrevious;
}

async function readOverview(deps: ApiDeps, { view, readPrevious }: OverviewReading) {
  const { readDb } = deps;
  const until = new Date();
  const since = new Date(until.getTime() - DAY_MS);
  const firstBucketAt = new Date(Math.floor(since.getTime() / HOUR_MS) * HOUR_MS);
  const dayBefore = new Date(since.getTime() - DAY_MS);
  const [current, previous, alerts, trouble, channels] = await Promise.all([
    readOrganizationStatistics(readDb, { view, since, until, bucketMs: HOUR_MS, firstBucketAt }),
    readPrevious({ since: dayBefore, until: since }),
    countOpenAlerts(readDb, view),
    listTroubledDestinations(readDb, view),
    countOverviewChannels(readDb, view),
  ]);
  const { firstPublicId: firstId, firstWorkspacePublicId: firstWorkspaceId, ...counts } = channels;
  return {
    since,
    until,
    bucketSeconds: HOUR_MS / 1_000,
    current: totalsOf(current),
    previous: totalsOf(previous),
    buckets: bucketsOf(current, { firstBucketAt, until }),
    alerts,
    trouble: trouble.map((one) => presentTrouble(deps, one)),
    channels: { ...counts, firstId, firstWorkspaceId },
  };
}

const noCounts = { deliveryCount: 0, deliveredCount: 0, failedCount: 0, waitingCount: 0, dueCount: 0 };

function presentCounts({
  deliveryCount,
  deliveredCount,
  failedCount,
  waitingCount,
}: Omit<typeof noCounts, 'dueCount'>) {
  return { deliveries: deliveryCount, delivered: deliveredCount, failed: failedCount, waiting: waitingCount };
}

function totalsOf({ buckets, latencyP50Ms: p50, latencyP95Ms: p95, isComplete }: OverviewStatistics) {
  const total = buckets.reduce(
    (sum, bucket) => ({
      deliveryCount: sum.deliveryCount + bucket.deliveryCount,
      deliveredCount: sum.deliveredCount + bucket.deliveredCount,
      failedCount: sum.failedCount + bucket.failedCount,
      waitingCount: sum.waitingCount + bucket.waitingCount,
      dueCount: sum.dueCount + bucket.dueCount,
    }),
    noCounts,
  );
  const latencyMs = p50 === null || p95 === null ? null : { p50, p95 };
  return { ...presentCounts(total), due: total.dueCount, latencyMs, isComplete };
}

interface BucketSpan {
  readonly firstBucketAt: Date;
  readonly until: Date;
}

function bucketsOf({ buckets }: OverviewStatistics, { firstBucketAt, until }: BucketSpan) {
  const byPosition = new Map(buckets.map((bucket) => [bucket.bucket, bucket]));
  return Array.from({ length: Math.ceil((until.getTime() - firstBucketAt.getTime()) / HOUR_MS) }, (_, position) => ({
    at: new Date(firstBucketAt.getTime() + position * HOUR_MS),
    ...presentCounts(byPosition.get(position) ?? noCounts),
  }));
}

function presentTrouble(deps: ApiDeps, one: TroubledDestination) {
  return {
    ...one,
    workspaceId: one.workspacePublicId,
    channelId: one.channelPublicId,
    destination: one.subscriptionPublicId ?? 'webhook',
    lastFailure: one.lastFailure && presentFailure(deps, one.lastFailure),
  };
}

function presentFailure(deps: ApiDeps, failure: NonNullable<TroubledDestination['lastFailure']>) {
  const { deliveryNumber, startedAt: at, error, responseBody } = failure;
  const deliveryId = sequencedId(deps.idKey, 'delivery', deliveryNumber);
  const body = responseBody && openBodies(deps, deliveryId).attempt(responseBody)?.toString('utf8');
  const answer = (body || error)?.slice(0, MAX_ANSWER) ?? null;
  return { ...failure, deliveryId, at, answer };
}
