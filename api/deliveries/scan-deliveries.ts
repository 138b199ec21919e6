import { hash } from 'node:crypto';
import { batchIdOf } from '../../contract/deliveries/batch.ts';
import { containsText } from '../../contract/deliveries/preview.ts';
import { sequencedId, isId, sequenceOf, type IdKey, deliveryIdOfWorkflow } from '../../contract/ids.ts';
import { traceIdOf } from '../../contract/traces/trace-parent.ts';
import type { DeliveryPage } from '../../db/deliveries/find-page.ts';
import {
  type ListedBody,
  readListedBodies,
  readListedSizes,
  readSentBatches,
  readTraceParents,
  type SentBatch,
} from '../../db/deliveries/list-details.ts';
import type { FoundDelivery } from '../../db/deliveries/records.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { inSlices } from '../requests/loop-turns.ts';
import { openBodies } from './open-bodies.ts';

/**
 * Looks through the newest deliveries one by one. No plain text of a body is stored, so no index can find a text: a scan
 * opens the bodies of at most `MAX_SCANNED` deliveries, or `MAX_SCANNED_BYTES`, and says where it stopped. The next page
 * continues there.
 */
export interface Scan<Delivery> {
  readonly found: readonly Delivery[];
  readonly scannedCount: number;
  /** Null at the end. */
  readonly stoppedAt: number | null;
  /** The last one that was compared. */
  readonly last: Delivery | undefined;
}

export type ScannedTerm = Extract<SearchTerm, { kind: 'text' | 'trace' | 'batch' }>;

const MAX_SCANNED = 2_000;
/** Up to 200 ms of processor time, in slices. Most bodies have less than 2 KiB. */
const MAX_SCANNED_BYTES = 4 * 1024 * 1024;
const BATCH_SIZE = 200;
/** Bounds the memory of a scan. */
const READ_BYTES = 1024 * 1024;
/** The work for an id of a request, compared with that for a body. */
const HASHED_ID_BYTES = 64;

type ScanDeps = Pick<ApiDeps, 'readDb' | 'bodyBox' | 'log' | 'idKey' | 'nextTurn'>;

export interface ScannedRows<Delivery> {
  /** In the order of the list. */
  readonly rows: readonly Delivery[];
  /** Where the next rows begin if there are fewer than asked for; null at the end. */
  readonly stoppedAt: number | null;
}

interface ScanOf<Delivery> {
  readonly term: ScannedTerm;
  readonly before?: number | undefined;
  readonly limit: number;
  readonly read: (part: { before: number | undefined; limit: number }) => Promise<ScannedRows<Delivery>>;
}

export async function scanDeliveries<Delivery extends FoundDelivery>(
  deps: ScanDeps,
  { term, before, limit, read }: ScanOf<Delivery>,
): Promise<Scan<Delivery>> {
  const compare = comparisonOf(deps, term);
  const found: Delivery[] = [];
  let last: Delivery | undefined;
  let scannedCount = 0;
  let scannedBytes = 0;
  while (scannedCount < MAX_SCANNED && scannedBytes < MAX_SCANNED_BYTES && found.length < limit) {
    const { rows, stoppedAt } = await read({ before: last?.id ?? before, limit: BATCH_SIZE });
    const { compared, matches, bytes } = await compare(rows);
    found.push(...rows.filter(({ id }) => matches.has(id)));
    scannedCount += compared.length;
    scannedBytes += bytes;
    last = rows[compared.length - 1] ?? last;
    if (compared.length === rows.length && rows.length < BATCH_SIZE) return { found, scannedCount, stoppedAt, last };
  }
  return { found, scannedCount, stoppedAt: last?.id ?? null, last };
}

interface Compared {
  /** The first ones of the batch. */
  readonly compared: readonly FoundDelivery[];
  /** The ids of those that match. */
  readonly matches: ReadonlySet<number>;
  readonly bytes: number;
}

type Compare = (batch: readonly FoundDelivery[]) => Promise<Compared>;

function comparisonOf(deps: ScanDeps, term: ScannedTerm): Compare {
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

async function withText(deps: ScanDeps, { batch, text }: Batch & { text: string }): Promise<Compared> {
  const sizes = await readListedSizes(deps.readDb, eventsOf(batch));
  const { compared, bytes } = withinBytes(batch, sizes);
  const bodies = await readListedBodies(deps.readDb, eventsOf(compared));
  const open = openBodies(deps, 'search');
  const bytesOf = ([, listed]: readonly [number, ListedBody]): number => listed.bytes;
  const events = new Set<number>();
  for await (const [eventId, { body }] of inSlices(bodies, { bytesOf, next: deps.nextTurn })) {
    const plain = open.attempt(body);
    if (plain && containsText(plain.toString('utf8'), text)) events.add(eventId);
  }
  return { compared, bytes, matches: idsOf(compared, ({ eventId }) => events.has(eventId)) };
}

const eventsOf = (batch: readonly FoundDelivery[]): number[] => batch.map(({ eventId }) => eventId);

/** At least one delivery. An event with several ones is read once. */
function withinBytes(batch: readonly FoundDelivery[], sizes: ReadonlyMap<number, number>) {
  const events = new Set<number>();
  const compared: FoundDelivery[] = [];
  let bytes = 0;
  for (const delivery of batch) {
    const more = events.has(delivery.eventId) ? 0 : (sizes.get(delivery.eventId) ?? 0);
    if (compared.length > 0 && bytes + more > READ_BYTES) break;
    events.add(delivery.eventId);
    compared.push(delivery);
    bytes += more;
  }
  return { compared, bytes };
}

function idsOf(batch: readonly FoundDelivery[], matches: (delivery: FoundDelivery) => boolean): Set<number> {
  return new Set(batch.filter(matches).map(({ id }) => id));
}

async function ofTrace({ readDb }: ScanDeps, { batch, traceId }: Batch & { traceId: string }): Promise<Compared> {
  const parents = await readTraceParents(readDb, eventsOf(batch));
  const matches = idsOf(batch, ({ eventId }) => traceIdOf(parents.get(eventId)) === traceId);
  return { compared: batch, matches, bytes: 0 };
}

async function inBatch(
  { readDb, idKey, nextTurn: next }: ScanDeps,
  { batch, batchId }: Batch & { batchId: string },
): Promise<Compared> {
  const sent = await readSentBatches(
    readDb,
    batch.map(({ id }) => id),
  );
  const idOf = (numbers: readonly number[]): string =>
    batchIdOf(
      numbers.map((number) => sequencedId(idKey, 'delivery', number)),
      (text) => hash('sha256', text, 'hex'),
    );
  const bytesOf = ({ deliveryIds }: SentBatch): number => deliveryIds.length * HASHED_ID_BYTES;
  const matches = new Set<number>();
  let bytes = 0;
  for await (const one of inSlices(sent, { bytesOf, next })) {
    bytes += bytesOf(one);
    if (idOf(one.deliveryIds) === batchId) matches.add(one.deliveryId);
  }
  return { compared: batch, matches, bytes };
}

/** What a person typed or pasted into the search field. */
export type SearchTerm =
  /** An id that exists once, with the filter that finds it. Undefined if it cannot exist. */
  | { readonly kind: 'id'; readonly filter: SearchFilter | undefined }
  | { readonly kind: 'channel'; readonly channelId: string }
  | { readonly kind: 'trace'; readonly traceId: string }
  | { readonly kind: 'batch'; readonly batchId: string }
  | { readonly kind: 'text'; readonly text: string };

type SearchFilter = Pick<DeliveryPage, 'deliveryId' | 'eventId' | 'replayId' | 'destinations'>;

const TRACE_ID = /^[0-9a-f]{32}$/;
const BATCH_ID = /^wb_[0-9a-f]{24}$/;

export function searchTermOf(typed: string, idKey: IdKey): SearchTerm {
  const text = typed.trim();
  const id = deliveryIdOfWorkflow(text) ?? text;
  if (isId('delivery', id)) return { kind: 'id', filter: numbered('deliveryId', sequenceOf(idKey, 'delivery', id)) };
  if (isId('event', id)) return { kind: 'id', filter: numbered('eventId', sequenceOf(idKey, 'event', id)) };
  if (isId('replay', id)) return { kind: 'id', filter: { replayId: id } };
  if (isId('subscription', id) || isId('listener', id)) return { kind: 'id', filter: { destinations: [id] } };
  if (isId('channel', id)) return { kind: 'channel', channelId: id };
  if (TRACE_ID.test(text)) return { kind: 'trace', traceId: text };
  if (BATCH_ID.test(text)) return { kind: 'batch', batchId: text };
  return { kind: 'text', text };
}

function numbered(name: 'deliveryId' | 'eventId', number: number | undefined): SearchFilter | undefined {
  return number === undefined ? undefined : { [name]: number };
}
