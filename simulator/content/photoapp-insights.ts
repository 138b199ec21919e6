import {
  requestedDays,
  requestedMetrics,
  dailyValues,
  metricTexts,
  tooFewViewers,
  valueOf,
  type RequestedMetric,
  type InsightsCall,
} from './insights.ts';
import type { AccountObject, PostObject } from './objects/store.ts';
import { invalidParameter } from '../scripted-api/refusals.ts';

interface AccountMetric {
  readonly periods: readonly string[];
  /** `total` needs `metric_type=total_value`; `series` forbids it. */
  readonly form: 'total' | 'series' | 'both';
  readonly isDemographic?: true;
  readonly needsFollowers?: true;
}

const daily: AccountMetric = { periods: ['day'], form: 'total' };
const demographic: AccountMetric = {
  periods: ['lifetime'],
  form: 'total',
  isDemographic: true,
  needsFollowers: true,
};
/** Retired metrics such as `impressions` are unknown. */
const accountMetrics = new Map<string, AccountMetric>([
  ['reach', { periods: ['day', 'week', 'days_28'], form: 'both' }],
  ['follower_count', { periods: ['day'], form: 'series', needsFollowers: true }],
  ['online_followers', { periods: ['lifetime'], form: 'series', needsFollowers: true }],
  ...['views', 'accounts_engaged', 'total_interactions', 'likes', 'comments', 'saves', 'shares', 'replies'].map(
    (name): [string, AccountMetric] => [name, daily],
  ),
  ...['follows_and_unfollows', 'profile_links_taps', 'profile_views', 'website_clicks'].map(
    (name): [string, AccountMetric] => [name, daily],
  ),
  ['follower_demographics', demographic],
  ['engaged_audience_demographics', demographic],
  ['reached_audience_demographics', demographic],
]);
const MIN_FOLLOWERS = 100;
const MAX_DAYS = 30;
const MIN_VIEWERS = 5;
const demographicBreakdowns: Readonly<Record<string, readonly string[]>> = {
  age: ['18-24', '25-34'],
  city: ['Lisbon, Lisboa', 'Porto, Porto'],
  country: ['PT', 'ES'],
  gender: ['F', 'M'],
};
const totalBreakdowns: Readonly<Record<string, readonly string[]>> = {
  media_product_type: ['POST', 'REEL', 'STORY'],
  follow_type: ['FOLLOWER', 'NON_FOLLOWER'],
  contact_button_type: ['CALL', 'EMAIL'],
};

const everyMedia = ['reach', 'views', 'shares', 'total_interactions'];
const mediaMetrics: Readonly<Record<'FEED' | 'REELS' | 'STORIES', readonly string[]>> = {
  FEED: [...everyMedia, 'likes', 'comments', 'saved', 'follows', 'profile_visits', 'profile_activity'],
  REELS: [...everyMedia, 'likes', 'comments', 'saved', 'ig_reels_avg_watch_time', 'ig_reels_video_view_total_time'],
  STORIES: [...everyMedia, 'replies', 'navigation', 'follows', 'profile_visits', 'profile_activity'],
};
const allMediaMetrics = new Set(Object.values(mediaMetrics).flat());

export function photoAccountInsights(call: InsightsCall, account: AccountObject) {
  const known = new Set(accountMetrics.keys());
  const refusal = (): string => `metric[0] must be one of the following values: ${[...known].join(', ')}`;
  const metrics = requestedMetrics(call, { objectId: account.id, known, refusal });
  const period = call.parameters.get('period');
  if (period === undefined) throw invalidParameter('The parameter period is required.');
  const isTotal = call.parameters.get('metric_type') === 'total_value';
  const days = requestedDays(call, MAX_DAYS);
  for (const { name } of metrics) checkForm(name, { period, isTotal });
  const data = metrics
    .filter(({ name }) => account.followerCount >= MIN_FOLLOWERS || !accountMetrics.get(name)?.needsFollowers)
    .map((metric) => ({
      ...metricTexts(call, metric, period),
      ...(isTotal
        ? { total_value: totalOf(call, metric) }
        : { values: dailyValues(days, (day) => valueOf(call, metric, day)) }),
    }));
  return { data };
}

function checkForm(name: string, { period, isTotal }: { period: string; isTotal: boolean }): void {
  const rule = accountMetrics.get(name);
  if (!rule) return;
  if (rule.form === 'total' && !isTotal) {
    throw invalidParameter(
      `The following metrics (${name}) should be specified with parameter metric_type=total_value`,
    );
  }
  if (rule.form === 'series' && isTotal) {
    throw invalidParameter(`The following metrics (${name}) do not support metric_type=total_value`);
  }
  if (!rule.periods.includes(period)) {
    throw invalidParameter(`The following metrics (${name}) are incompatible with the period ${period}`);
  }
}

function totalOf(call: InsightsCall, metric: RequestedMetric) {
  const isDemographic = accountMetrics.get(metric.name)?.isDemographic === true;
  const breakdown = call.parameters.get('breakdown');
  if (breakdown === undefined && !isDemographic) return { value: valueOf(call, metric) };
  if (isDemographic && metric.name !== 'follower_demographics' && !call.parameters.has('timeframe')) {
    throw invalidParameter(`The parameter timeframe is required for ${metric.name}`);
  }
  const dimensions = (isDemographic ? demographicBreakdowns : totalBreakdowns)[breakdown ?? ''];
  if (!dimensions) throw invalidParameter(`The parameter breakdown is missing or does not fit ${metric.name}`);
  const results = dimensions.map((each) => ({ dimension_values: [each], value: valueOf(call, metric, each) }));
  const total = results.reduce((sum, { value }) => sum + value, 0);
  return { ...(!isDemographic && { value: total }), breakdowns: [{ dimension_keys: [breakdown], results }] };
}

export function photoMediaInsights(call: InsightsCall, post: PostObject) {
  const refusal = (name: string): string =>
    allMediaMetrics.has(name)
      ? `The Media Insights API does not support the ${name} metric for this media product type.`
      : `metric[0] must be one of the following values: ${[...allMediaMetrics].join(', ')}`;
  const kind = post.type === 'REELS' || post.type === 'STORIES' ? post.type : 'FEED';
  const metrics = requestedMetrics(call, { objectId: post.id, known: new Set(mediaMetrics[kind]), refusal });
  if (post.viewerCount < MIN_VIEWERS) throw tooFewViewers();
  const data = metrics.map((metric) => ({
    ...metricTexts(call, metric, 'lifetime'),
    values: [{ value: valueOf(call, metric) }],
  }));
  return { data };
}
