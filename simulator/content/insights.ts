import { createHash } from 'node:crypto';
import type { ReadCall } from './objects/present.ts';
import type { InsightOverride } from './control.ts';
import type { ContentView } from './objects/photoapp-nodes.ts';
import { platformTime } from '../scripted-api/platform-time.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';

export interface InsightsCall extends ReadCall {
  readonly view: ContentView;
  readonly overrides: readonly InsightOverride[];
}

export interface RequestedMetric {
  readonly name: string;
  readonly objectId: string;
}

export interface Days {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export const DAY_MS = 86_400_000;
const MAX_VALUE = 900;

/** One invalid metric fails the whole call. */
export function requestedMetrics(
  { parameters, overrides }: InsightsCall,
  { objectId, known, refusal }: { objectId: string; known: ReadonlySet<string>; refusal: (name: string) => string },
): RequestedMetric[] {
  const names = listOf(parameters.get('metric') ?? '');
  if (names.length === 0) throw invalidParameter('The parameter metric is required.');
  const requested = names.map((name) => ({ name, objectId }));
  for (const metric of requested) {
    const missing = overrideOf(overrides, metric)?.missing;
    if (!known.has(metric.name) || missing === 'unknown') throw invalidParameter(refusal(metric.name));
    if (missing === 'tooFew') throw tooFewViewers();
  }
  // The platform omits a metric without data.
  return requested.filter((metric) => overrideOf(overrides, metric)?.missing !== 'empty');
}

export function tooFewViewers() {
  return new Refusal({ code: 10, message: '(#10) Not enough viewers for the media to show insights.' });
}

export function requestedDays({ parameters, view }: InsightsCall, maxDays: number): Days {
  const today = Math.floor(view.nowMs / DAY_MS) * DAY_MS;
  const untilMs = instantOf(parameters.get('until'), 'until') ?? today;
  const sinceMs = instantOf(parameters.get('since'), 'since') ?? untilMs - 2 * DAY_MS;
  if (sinceMs >= untilMs) throw invalidParameter('The parameter since must be before until.');
  if (untilMs - sinceMs > maxDays * DAY_MS) {
    throw invalidParameter(`There cannot be more than ${maxDays} days between since and until.`);
  }
  return { sinceMs, untilMs };
}

export function dailyValues<T>({ sinceMs, untilMs }: Days, valueOn: (day: number) => T) {
  const count = Math.max(1, Math.ceil((untilMs - sinceMs) / DAY_MS));
  return Array.from({ length: count }, (_, day) => {
    return { value: valueOn(day), end_time: platformTime(sinceMs + (day + 1) * DAY_MS) };
  });
}

/** Returns the same value for every call, unless it is scripted. */
export function valueOf({ overrides }: InsightsCall, metric: RequestedMetric, part: string | number = ''): number {
  const scripted = overrideOf(overrides, metric)?.value;
  if (scripted !== undefined) return scripted;
  const digest = createHash('sha256').update(`${metric.objectId}/${metric.name}/${part}`).digest();
  return digest.readUInt16BE() % MAX_VALUE;
}

export function metricTexts({ parameters }: InsightsCall, { name, objectId }: RequestedMetric, period: string) {
  const words = name.replaceAll('_', ' ');
  const locale = parameters.get('locale') ?? 'en_US';
  const title = locale === 'en_US' ? words : `${words} (${locale})`;
  return { name, period, title, description: `The ${title}.`, id: `${objectId}/insights/${name}/${period}` };
}

function overrideOf(overrides: readonly InsightOverride[], { name, objectId }: RequestedMetric) {
  return overrides.find((each) => each.metric === name && (each.objectId ?? objectId) === objectId);
}

function listOf(text: string): string[] {
  const names = text.replace(/^\[|\]$/g, '').split(',');
  return names.map((name) => name.trim().replace(/^"|"$/g, '')).filter((name) => name !== '');
}

function instantOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const atMs = /^\d{1,12}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(atMs)) throw invalidParameter(`Param ${name} is not a valid time.`);
  return atMs;
}
