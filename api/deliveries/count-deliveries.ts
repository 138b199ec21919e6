import {
  type Histogram,
  type HistogramBucket,
  type HistogramSpan,
  readHistogram,
} from '../../db/deliveries/histogram.ts';
import type { DeliveryOnPage } from '../../db/deliveries/find-page.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { exactFilterOf, type Filter, narrow, scanPages } from './list-deliveries.ts';
import { searchTermOf } from './scan-deliveries.ts';

interface Count {
  readonly filter: Filter;
  readonly search: string | undefined;
  readonly span: Pick<HistogramSpan, 'since' | 'until' | 'bucketMs'>;
}

const nothing: Histogram = { buckets: [], isComplete: true };

/** Counts what a list with the same filters and search shows. A search for a text counts what its first page compares. */
export async function countDeliveries(deps: ApiDeps, { filter, search, span }: Count): Promise<Histogram> {
  const { readDb, idKey } = deps;
  if (search === undefined) return await readHistogram(readDb, { ...filter, ...span });
  const term = searchTermOf(search, idKey);
  const exact = await exactFilterOf(deps, { filter, term });
  if (exact || term.kind === 'id' || term.kind === 'channel') {
    const narrowed = narrow(filter, exact?.filter);
    return narrowed ? await readHistogram(readDb, { ...narrowed, ...span }) : nothing;
  }
  const { since, until } = span;
  const { found, stoppedAt } = await scanPages(deps, { filter: { ...filter, since, until }, term, limit: Infinity });
  return { buckets: bucketsOf(found, span), isComplete: stoppedAt === null };
}

const partOf = {
  delivered: 'delivered',
  exhausted: 'failed',
  pending: 'waiting',
  retrying: 'waiting',
  cancelled: 'notSent',
  skipped: 'notSent',
} as const;

function bucketsOf(found: readonly DeliveryOnPage[], { since, bucketMs }: Count['span']): HistogramBucket[] {
  const byBucket = Map.groupBy(found, ({ createdAt }) =>
    Math.floor((createdAt.getTime() - since.getTime()) / bucketMs),
  );
  return [...byBucket].map(([bucket, deliveries]) => {
    const countOf = (part: (typeof partOf)[keyof typeof partOf]): number =>
      deliveries.filter(({ status }) => partOf[status] === part).length;
    return {
      bucket,
      delivered: countOf('delivered'),
      failed: countOf('failed'),
      waiting: countOf('waiting'),
      notSent: countOf('notSent'),
    };
  });
}
