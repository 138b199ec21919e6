import {
  requestedDays,
  requestedMetrics,
  DAY_MS,
  dailyValues,
  metricTexts,
  valueOf,
  type RequestedMetric,
  type Days,
  type InsightsCall,
} from './insights.ts';
import type { AccountObject, PostObject, UploadObject } from './objects/store.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';

const allPeriods = ['day', 'week', 'days_28'];
const pageMetrics = new Map<string, readonly string[]>([
  ['page_post_engagements', allPeriods],
  ['page_views_total', allPeriods],
  ['page_total_actions', allPeriods],
  ['page_video_views', allPeriods],
  ['page_media_view', allPeriods],
  ['page_follows', ['day']],
  ['page_daily_follows', ['day']],
  ['page_daily_follows_unique', ['day']],
  ['page_daily_unfollows_unique', ['day']],
  ['page_actions_post_reactions_total', ['day']],
]);
/** The values are the parts of object-valued metrics. */
type MetricParts = ReadonlyMap<string, readonly string[] | undefined>;
const postMetrics: MetricParts = new Map<string, readonly string[] | undefined>([
  ['post_clicks', undefined],
  ['post_clicks_by_type', ['link clicks', 'other clicks']],
  ['post_reactions_by_type_total', ['like', 'love']],
  ['post_activity_by_action_type', ['share', 'like', 'comment']],
  ['post_media_view', undefined],
  ['post_video_views', undefined],
]);
const reelMetrics: MetricParts = new Map<string, readonly string[] | undefined>([
  ['blue_reels_play_count', undefined],
  ['fb_reels_total_plays', undefined],
  ['fb_reels_replay_count', undefined],
  ['post_video_avg_time_watched', undefined],
  ['post_video_view_time', undefined],
  ['post_video_likes_by_reaction_type', ['REACTION_LIKE', 'REACTION_LOVE']],
  ['post_video_social_actions', ['COMMENT', 'SHARE']],
]);
const videoMetrics: MetricParts = new Map<string, readonly string[] | undefined>([
  ['total_video_views', undefined],
  ['total_video_views_unique', undefined],
]);
const MAX_DAYS = 93;
const MIN_VIEWERS = 5;
const unknownMetric = (): string => 'The value must be a valid insights metric';

export function pageInsights(call: InsightsCall, page: AccountObject) {
  const known = new Set(pageMetrics.keys());
  const metrics = requestedMetrics(call, { objectId: page.id, known, refusal: unknownMetric });
  const requested = call.parameters.get('period');
  if (requested !== undefined && !allPeriods.includes(requested)) {
    throw invalidParameter(`Param period must be one of {${allPeriods.join(', ')}}`);
  }
  const days = requestedDays(call, MAX_DAYS);
  const data = metrics.flatMap((metric) =>
    (pageMetrics.get(metric.name) ?? [])
      .filter((period) => period === (requested ?? period))
      .map((period) => {
        const { name, title, description, id } = metricTexts(call, metric, period);
        const values = dailyValues(days, (day) => pageValue(call, metric, `${period}/${day}`));
        return { name, period, values, title, description, id };
      }),
  );
  return { data, paging: adjacentDays(call, { pageId: page.id, days }) };
}

export function postInsights(call: InsightsCall, post: PostObject) {
  const known = new Set(postMetrics.keys());
  const metrics = requestedMetrics(call, { objectId: post.id, known, refusal: unknownMetric });
  const period = call.parameters.get('period') ?? 'lifetime';
  // The metrics of a reel are on its video.
  if (period !== 'lifetime' || post.viewerCount < MIN_VIEWERS || post.type === 'REELS') return { data: [] };
  return { data: lifetimeValues(call, { metrics, partsOf: postMetrics }) };
}

/** Unlike other videos, a reel has only metrics of reels. */
export function videoInsights(call: InsightsCall, video: UploadObject) {
  const partsOf = video.type === 'reel' ? reelMetrics : videoMetrics;
  const known = new Set(partsOf.keys());
  const metrics = requestedMetrics(call, { objectId: video.id, known, refusal: unknownMetric });
  return { data: lifetimeValues(call, { metrics, partsOf }) };
}

function lifetimeValues(
  call: InsightsCall,
  { metrics, partsOf }: { metrics: readonly RequestedMetric[]; partsOf: MetricParts },
) {
  return metrics.map((metric) => {
    const { name, title, description, id } = metricTexts(call, metric, 'lifetime');
    const parts = partsOf.get(metric.name);
    const value = parts
      ? Object.fromEntries(parts.map((part) => [part, valueOf(call, metric, part)]))
      : valueOf(call, metric);
    return { name, period: 'lifetime', values: [{ value }], title, description, id };
  });
}

function pageValue(call: InsightsCall, metric: RequestedMetric, part: string) {
  if (metric.name !== 'page_actions_post_reactions_total') return valueOf(call, metric, part);
  return { like: valueOf(call, metric, `${part}/like`), love: valueOf(call, metric, `${part}/love`) };
}

function adjacentDays({ base, token, parameters }: InsightsCall, { pageId, days }: { pageId: string; days: Days }) {
  const span = Math.max(DAY_MS, days.untilMs - days.sinceMs);
  const address = (shiftMs: number): string => {
    const kept = ['metric', 'period'].flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name)]] : []));
    const query = {
      access_token: token,
      ...Object.fromEntries(kept),
      since: String(Math.floor((days.sinceMs + shiftMs) / 1000)),
      until: String(Math.floor((days.untilMs + shiftMs) / 1000)),
    };
    return `${base}/${pageId}/insights?${new URLSearchParams(query).toString()}`;
  };
  return { previous: address(-span), next: address(span) };
}
