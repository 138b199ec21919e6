import type { InsightOverride } from './control.ts';
import { platformTime } from './objects/fields.ts';
import type { ContentObject } from './objects/store.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';

interface InsightsCall {
  readonly parameters: ReadonlyMap<string, string>;
  readonly nowMs: number;
  readonly overrides: readonly InsightOverride[];
}

/** Others are unknown. Keys: product and kind of object. */
const known: Readonly<Record<string, readonly string[]>> = {
  'photoapp account': ['reach', 'views', 'accounts_engaged', 'total_interactions', 'profile_links_taps'],
  'photoapp post': ['views', 'reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'],
  'pageapp account': ['page_post_engagements', 'page_follows', 'page_views_total', 'page_daily_follows_unique'],
  'pageapp post': ['post_clicks', 'post_reactions_by_type_total', 'post_activity_by_action_type'],
  'pageapp upload': [
    ...['blue_reels_play_count', 'fb_reels_total_plays', 'fb_reels_replay_count', 'post_video_avg_time_watched'],
    ...['post_video_view_time', 'post_video_likes_by_reaction_type', 'post_video_social_actions'],
  ],
};
const DAY_MS = 86_400_000;
const MIN_VIEWERS = 5;

/** One unknown metric fails the whole call. The platform omits a metric without data. */
export function insightsOf(object: ContentObject, { parameters, nowMs, overrides }: InsightsCall) {
  const names = (parameters.get('metric') ?? '').split(',');
  const metrics = known[`${object.product} ${object.kind}`] ?? [];
  if (!names.every((name) => metrics.includes(name)))
    throw invalidParameter(`metric[0] must be one of the following values: ${metrics.join(', ')}`);
  if (object.kind === 'post' && object.viewerCount < MIN_VIEWERS)
    throw new Refusal({ code: 10, message: '(#10) Not enough viewers for the media to show insights.' });
  const period = object.kind === 'account' ? (parameters.get('period') ?? 'day') : 'lifetime';
  const data = names.flatMap((name) => {
    const scripted = overrides.find(({ metric }) => metric === name);
    const value = scripted?.value ?? name.length;
    return scripted?.missing ? [] : [{ name, period, ...valuesOf(value, name) }];
  });
  return { data };

  function valuesOf(value: number, name: string) {
    if (parameters.get('metric_type') === 'total_value') {
      const breakdown = parameters.get('breakdown');
      const results = ['POST', 'REEL'].map((each) => ({ dimension_values: [each], value }));
      return { total_value: { value, ...(breakdown && { breakdowns: [{ dimension_keys: [breakdown], results }] }) } };
    }
    if (period === 'lifetime')
      return { values: [{ value: name.includes('_by_') ? { like: value, love: value } : value }] };
    return { values: [1, 0].map((days) => ({ value, end_time: platformTime(nowMs - days * DAY_MS) })) };
  }
}
