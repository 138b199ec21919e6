import type { PhotoInsightBody, PhotoInsightQuery } from '../../openapi/operations/photoapp-account-schema.ts';
import type { AccountClient } from './account-client.ts';
import { readMetrics, timesOf } from './metrics.ts';
import { requireOwnMedia } from './require-own.ts';

const accountMetrics = ['reach', 'views', 'accounts_engaged', 'total_interactions', 'profile_links_taps'];
const mediaMetrics = ['views', 'reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'];
/** Daily values only; the platform refuses their total. */
const seriesOnly: ReadonlySet<string> = new Set(['follower_count', 'online_followers']);
const lifetimeOnly = /_demographics$|^online_followers$/;

export async function readPhotoInsights(client: AccountClient, query: PhotoInsightQuery): Promise<PhotoInsightBody> {
  const { mediaId } = query;
  if (mediaId !== undefined) await requireOwnMedia(client, mediaId);
  const targetId = mediaId ?? client.resourceId;
  const reading = await readMetrics(client, {
    targetId,
    names: query.metrics ?? (mediaId === undefined ? accountMetrics : mediaMetrics),
    queryOf: (name) => (mediaId === undefined ? accountQuery(name, query) : breakdownOf(query)),
  });
  return { target: mediaId === undefined ? 'account' : 'media', targetId, ...reading };
}

function accountQuery(name: string, query: PhotoInsightQuery): Record<string, string> {
  const { metricType = seriesOnly.has(name) ? 'time_series' : 'total_value', timeframe } = query;
  return {
    period: query.period ?? (lifetimeOnly.test(name) ? 'lifetime' : 'day'),
    ...(metricType === 'total_value' && { metric_type: metricType }),
    ...breakdownOf(query),
    ...(timeframe !== undefined && { timeframe }),
    ...timesOf(query),
  };
}

function breakdownOf({ breakdown }: PhotoInsightQuery): Record<string, string> {
  return breakdown === undefined ? {} : { breakdown: breakdown.join(',') };
}
