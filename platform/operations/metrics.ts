import { fewAtATime } from '../../contract/few-at-a-time.ts';
import { z } from 'zod';
import type { MetricBody } from '../../openapi/operations/platform-fields.ts';
import { PlatformRejected } from '../client/errors.ts';
import { refusalOf } from '../client/refusals.ts';
import type { AccountClient } from './account-client.ts';
import { instant, text } from './answer-fields.ts';

export interface MetricReading {
  readonly metrics: MetricBody[];
  readonly unavailable: string[];
}

export interface MetricsRequest {
  readonly targetId: string;
  /** Optional. Default: `insights`. */
  readonly edge?: string;
  readonly names: readonly string[];
  readonly queryOf: (name: string) => Readonly<Record<string, string>>;
}

/** More concurrent calls could trigger throttling. */
const IN_FLIGHT = 4;

const number = z.number();
const value = z
  .union([number, z.record(z.string(), number)])
  .nullish()
  .catch(null);
const breakdown = z.object({
  dimension_keys: z.array(z.string()),
  results: z.array(z.object({ dimension_values: z.array(z.string()), value: number })),
});
const metric = z.object({
  name: z.string(),
  period: text,
  values: z
    .array(z.object({ value, end_time: instant }))
    .nullish()
    .catch(null),
  total_value: z
    .object({ value, breakdowns: z.array(breakdown).nullish().catch(null) })
    .nullish()
    .catch(null),
});
const insights = z.object({ data: z.array(z.unknown()) });

/**
 * Reads metrics one by one: in a combined request, one unknown metric fails all of them. An empty list means no value,
 * which differs from zero.
 */
export async function readMetrics(client: AccountClient, request: MetricsRequest): Promise<MetricReading> {
  const answers = new Map<string, MetricBody[] | PlatformRejected>();
  await fewAtATime(request.names, IN_FLIGHT, async (name) =>
    answers.set(name, await readMetric(client, request, name)),
  );
  throwIfInsightsForbidden([...answers.values()]);
  const values = request.names.map((name) => ({ name, found: answers.get(name) }));
  return {
    metrics: values.flatMap(({ found }) => (Array.isArray(found) ? found : [])),
    unavailable: values.flatMap(({ name, found }) => (Array.isArray(found) && found.length > 0 ? [] : [name])),
  };
}

async function readMetric(
  client: AccountClient,
  { targetId, edge = 'insights', queryOf }: MetricsRequest,
  name: string,
) {
  try {
    const query = { metric: name, ...queryOf(name) };
    const { data } = await client.read(insights, { path: [targetId, edge], query });
    return data.flatMap(metricsOf);
  } catch (error) {
    if (error instanceof PlatformRejected && refusalOf('insights', error).kind === 'no_metric') return error;
    throw error;
  }
}

/** Means too few people, or that insights are forbidden. */
const TOO_FEW_OR_FORBIDDEN = 10;

/** If all of several metrics have this code, insights are forbidden. */
function throwIfInsightsForbidden(answers: readonly (MetricBody[] | PlatformRejected)[]): void {
  const forbidden = answers.filter((each) => each instanceof PlatformRejected && each.code === TOO_FEW_OR_FORBIDDEN);
  const [first] = forbidden;
  if (first instanceof PlatformRejected && answers.length > 1 && forbidden.length === answers.length) throw first;
}

function metricsOf(item: unknown): MetricBody[] {
  const found = metric.safeParse(item).data;
  if (!found) return [];
  const { name, period, values, total_value: total } = found;
  const series = (values ?? []).map((each) => ({ value: each.value ?? null, endTime: each.end_time }));
  const parts = total?.breakdowns?.flatMap(partsOf) ?? null;
  const sum = total?.value ?? parts?.reduce((all, part) => all + part.value, 0);
  const all = sum === undefined ? series : [...series, { value: sum, endTime: null }];
  return all.length === 0 ? [] : [{ name, period, values: all, breakdown: parts }];
}

function partsOf({ dimension_keys: keys, results }: z.output<typeof breakdown>) {
  return results.map(({ dimension_values: values, value: part }) => ({
    dimensions: Object.fromEntries(keys.map((key, index) => [key, values[index] ?? ''])),
    value: part,
  }));
}

export function timesOf({ since, until }: { since?: string | undefined; until?: string | undefined }) {
  const seconds = (instantText: string): string => String(Math.floor(Date.parse(instantText) / 1000));
  return {
    ...(since !== undefined && { since: seconds(since) }),
    ...(until !== undefined && { until: seconds(until) }),
  };
}
