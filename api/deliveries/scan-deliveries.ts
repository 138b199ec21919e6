import { hash } from 'node:crypto';
import { batchIdOf } from '../../contract/deliveries/batch.ts';
import { containsText } from '../../contract/deliveries/preview.ts';
import { sequencedId } from '../../contract/ids.ts';
import { traceIdOf } from '../../contract/traces/trace-parent.ts';
import { type DeliveryPage, findPage } from '../../db/deliveries/find-page.ts';
import { readListedBodies, readSentBatches, readTraceParents } from '../../db/deliveries/list-details.ts';
import type { FoundDelivery } from '../../db/deliveries/read-delivery-rows.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { openBodies } from './open-bodies.ts';
import type { SearchTerm } from './search-term.ts';

/**
 * Looks through the newest deliveries one by one. No plain text of a body is stored, so no index can find a text: a scan
 * opens the bodies of at most `MAX_SCANNED` deliveries and says where it stopped. The next page continues there.
 */
export interface Scan {
  readonly found: readonly FoundDelivery[];
  readonly scannedCount: number;
  /** Null at the end. */
  readonly stoppedAt: number | null;
  /** The creation time of the last one that was compared. */
  readonly scannedBackTo: Date | null;
}

export type ScannedTerm = Extract<SearchTerm, { kind: 'text' | 'trace' | 'batch' }>;

/** About 60 ms of processor time for bodies of 2 KiB. */
const MAX_SCANNED = 2_000;
const BATCH_SIZE = 200;

type ScanDeps = Pick<ApiDeps, 'readDb' | 'bodyBox' | 'log' | 'idKey'>;

export async function scanDeliveries(
  deps: ScanDeps,
  { term, ...page }: DeliveryPage & { readonly term: ScannedTerm },
): Promise<Scan> {
  const matching = matcherOf(deps, term);
  const found: FoundDelivery[] = [];
  let last: FoundDelivery | undefined;
  let scannedCount = 0;
  while (scannedCount < MAX_SCANNED && found.length < page.limit) {
    const batch: FoundDelivery[] = await findPage(deps.readDb, {
      ...page,
      before: last?.id ?? page.before,
      limit: BATCH_SIZE,
    });
    const matches = await matching(batch);
    found.push(...batch.filter(({ id }) => matches.has(id)));
    scannedCount += batch.length;
    last = batch.at(-1) ?? last;
    if (batch.length < BATCH_SIZE)
      return { found, scannedCount, stoppedAt: null, scannedBackTo: last?.createdAt ?? null };
  }
  return { found, scannedCount, stoppedAt: last?.id ?? null, scannedBackTo: last?.createdAt ?? null };
}

/** Returns the ids of those that match. */
type Matcher = (batch: readonly FoundDelivery[]) => Promise<ReadonlySet<number>>;

function matcherOf(deps: ScanDeps, term: ScannedTerm): Matcher {
  switch (term.kind) {
    case 'text':
      return (batch) => withText(deps, { batch, text: term.text });
    case 'trace':
      return (batch) => ofTrace(deps, { batch, traceId: term.traceId });
    case 'batch':
      return (batch) => inBatch(deps, { batch, batchId: term.batchId });
  }
}

interface Batch {
  readonly batch: readonly FoundDelivery[];
}

async function withText(deps: ScanDeps, { batch, text }: Batch & { text: string }): Promise<Set<number>> {
  const bodies = await readListedBodies(
    deps.readDb,
    batch.map(({ eventId }) => eventId),
  );
  const open = openBodies(deps, 'search');
  const events = new Set<number>();
  for (const [eventId, { body }] of bodies) {
    const plain = open.attempt(body);
    if (plain && containsText(plain.toString('utf8'), text)) events.add(eventId);
  }
  return new Set(batch.filter(({ eventId }) => events.has(eventId)).map(({ id }) => id));
}

async function ofTrace({ readDb }: ScanDeps, { batch, traceId }: Batch & { traceId: string }): Promise<Set<number>> {
  const parents = await readTraceParents(
    readDb,
    batch.map(({ eventId }) => eventId),
  );
  return new Set(batch.filter(({ eventId }) => traceIdOf(parents.get(eventId)) === traceId).map(({ id }) => id));
}

async function inBatch({ readDb, idKey }: ScanDeps, { batch, batchId }: Batch & { batchId: string }) {
  const sent = await readSentBatches(
    readDb,
    batch.map(({ id }) => id),
  );
  const idOf = (numbers: readonly number[]): string =>
    batchIdOf(
      numbers.map((number) => sequencedId(idKey, 'delivery', number)),
      (text) => hash('sha256', text, 'hex'),
    );
  return new Set(sent.filter(({ deliveryIds }) => idOf(deliveryIds) === batchId).map(({ deliveryId }) => deliveryId));
}
