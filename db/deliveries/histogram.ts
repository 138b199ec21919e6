import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { bindingsOf, type DeliveryPage, pageSql, rangeOf } from './find-page.ts';
import { findNamedDestinations, WEBHOOK } from './named-destinations.ts';

export interface HistogramSpan extends Omit<DeliveryPage, 'limit' | 'since' | 'until' | 'before'> {
  readonly since: Date;
  readonly until: Date;
  readonly bucketMs: number;
  readonly maxLooked?: number;
}

export interface HistogramBucket {
  readonly bucket: number;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
  readonly notSent: number;
}

export interface Histogram {
  /** Only those with deliveries. */
  readonly buckets: readonly HistogramBucket[];
  /** False if the limit excluded the oldest deliveries. */
  readonly isComplete: boolean;
}

/** About 100 ms of database time. */
const MAX_LOOKED = 50_000;

/** Counts what a list with the same filters would show. */
export async function readHistogram(db: Knex, { bucketMs, maxLooked = MAX_LOOKED, ...span }: HistogramSpan) {
  const destinationIds = await findNamedDestinations(db, span.destinations);
  if (destinationIds?.length === 0 && span.destinations?.includes(WEBHOOK) !== true) return nothing;
  const page = { ...span, limit: maxLooked };
  const part = { ...page, ...(await rangeOf(db, page)), destinationIds };
  const rows = await queryRows<HistogramBucket>(db, countsSql(pageSql(page)), {
    ...bindingsOf(part),
    begin: span.since,
    bucketMs,
  });
  const looked = rows.reduce((sum, row) => sum + row.delivered + row.failed + row.waiting + row.notSent, 0);
  return { buckets: rows, isComplete: looked < maxLooked } satisfies Histogram;
}

const nothing: Histogram = { buckets: [], isComplete: true };

const countOf = (statuses: readonly string[]): string =>
  `(count(*) filter (where status in (${statuses.map((status) => `'${status}'`).join(', ')})))::int`;

const countsSql = (found: string): string => `
select floor(extract(epoch from "createdAt" - cast(:begin as timestamptz))::float8 * 1000 / :bucketMs)::int as bucket,
  ${countOf(['delivered'])} as delivered, ${countOf(['exhausted'])} as failed,
  ${countOf(['pending', 'retrying'])} as waiting, ${countOf(['cancelled', 'skipped'])} as "notSent"
from (${found}) found group by bucket order by bucket`;
