import { sequencedId, sequenceOf } from '../../contract/ids.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';
import {
  type DeliveryOnPage,
  type DeliveryPage,
  findPage,
  isPlatformId,
  NO_RESPONSE,
} from '../../db/deliveries/find-page.ts';
import { type DeliveryRecord, type FoundDelivery, readDeliveries } from '../../db/deliveries/records.ts';
import { findChannelOfDeliveries } from '../../db/deliveries/filters.ts';
import type {
  DeliveryListBody,
  DeliveryListQuery,
  HistogramQuery,
  DeliveryListItemBody,
  ListInclusion,
} from '../../openapi/deliveries/list-schema.ts';
import { DEFAULT_PAGE_SIZE } from '../../openapi/definitions/fields.ts';
import { requireChannel } from '../access/portal-channels.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { NotFound } from '../requests/errors.ts';
import { invalidCursor } from '../routing/page.ts';
import { channelOfScope, type WorkspaceCaller } from './channel-of-scope.ts';
import { type Scan, scanDeliveries, type ScannedTerm, type SearchTerm, searchTermOf } from './scan-deliveries.ts';
import { previewOf } from '../../contract/deliveries/preview.ts';
import {
  type LastAttempt,
  type ListedBody,
  readLastAttempts,
  readListedBodies,
} from '../../db/deliveries/list-details.ts';
import { inSlices } from '../requests/loop-turns.ts';
import { openBodies } from './open-bodies.ts';

export interface ListedDeliveries {
  readonly deliveries: readonly DeliveryRecord[];
  readonly nextCursor: string | null;
  readonly search?: NonNullable<DeliveryListBody['search']>;
}

export type Filter = Omit<DeliveryPage, 'limit'>;

export async function listDeliveries(
  deps: ApiDeps,
  { caller, query }: { readonly caller: WorkspaceCaller; readonly query: DeliveryListQuery },
): Promise<ListedDeliveries> {
  const { readDb, idKey } = deps;
  const size = query.limit ?? DEFAULT_PAGE_SIZE;
  const before = query.cursor === undefined ? undefined : sequenceOf(idKey, 'delivery', query.cursor);
  if (query.cursor !== undefined && before === undefined) throw invalidCursor();
  const filter = { ...(await filterOf(deps, { caller, query })), before };
  const found = await findDeliveries(deps, { filter, search: query.search, limit: size + 1 });
  const shown = found.found.slice(0, size);
  const next = found.found.length > size ? shown.at(-1)?.id : (found.stoppedAt ?? undefined);
  return {
    deliveries: await readDeliveries(readDb, shown),
    nextCursor: next === undefined ? null : sequencedId(idKey, 'delivery', next),
    ...(found.report && { search: found.report }),
  };
}

export interface Found {
  readonly found: readonly FoundDelivery[];
  /** Where the next page begins if this one is not full. */
  readonly stoppedAt?: number | null;
  readonly report?: ListedDeliveries['search'];
}

interface Search {
  readonly filter: Filter;
  readonly search: string | undefined;
  readonly limit: number;
}

/** Finds a page of what the filters and the search leave. */
export async function findDeliveries(deps: ApiDeps, { filter, search, limit }: Search): Promise<Found> {
  const { readDb, idKey } = deps;
  if (search === undefined) return { found: await findPage(readDb, { ...filter, limit }) };
  const term = searchTermOf(search, idKey);
  const exact = await exactFilterOf(deps, { filter, term });
  if (exact) {
    const narrowed = narrow(filter, exact.filter);
    const found = narrowed ? await findPage(readDb, { ...narrowed, limit }) : [];
    return { found, report: { by: exact.by, scannedCount: 0, scannedBackTo: null, isComplete: true } };
  }
  if (term.kind === 'id' || term.kind === 'channel') return { found: [] };
  const { found, scannedCount, stoppedAt, last } = await scanPages(deps, { filter, term, limit });
  const scannedBackTo = last?.createdAt.toISOString() ?? null;
  return { found, stoppedAt, report: { by: 'scan', scannedCount, scannedBackTo, isComplete: stoppedAt === null } };
}

/** Looks through what the filters leave. */
export async function scanPages(
  deps: ApiDeps,
  { filter, ...scan }: { readonly filter: Filter; readonly term: ScannedTerm; readonly limit: number },
): Promise<Scan<DeliveryOnPage>> {
  return await scanDeliveries(deps, {
    ...scan,
    before: filter.before,
    read: async (part) => ({ rows: await findPage(deps.readDb, { ...filter, ...part }), stoppedAt: null }),
  });
}

interface ExactFilter {
  readonly by: 'id' | 'platform_id';
  /** Undefined if nothing can match. */
  readonly filter: Partial<Filter> | undefined;
}

/** Returns undefined for a term that only a scan can find. */
export async function exactFilterOf(
  { db, readDb }: ApiDeps,
  { filter, term }: { readonly filter: Filter; readonly term: SearchTerm },
): Promise<ExactFilter | undefined> {
  switch (term.kind) {
    case 'id':
      return { by: 'id', filter: term.filter };
    case 'channel': {
      const channelId = await findChannelOfDeliveries(db, {
        workspaceId: filter.workspaceId,
        publicId: term.channelId,
      });
      return { by: 'id', filter: channelId === undefined ? undefined : { channelIds: [channelId] } };
    }
    case 'text': {
      for (const platformId of new Set([term.text, plainPerson(term.text)])) {
        const known = await isPlatformId(readDb, { ...filter, platformId });
        if (known) return { by: 'platform_id', filter: { platformId } };
      }
      return undefined;
    }
    case 'trace':
    case 'batch':
      return undefined;
  }
}

/** Returns undefined if the two contradict each other. */
export function narrow(filter: Filter, by: Partial<Filter> | undefined): Filter | undefined {
  if (!by) return undefined;
  const { channelIds, destinations } = by;
  if (channelIds && filter.channelIds && !filter.channelIds.some((id) => channelIds.includes(id))) return undefined;
  if (destinations && filter.destinations && !filter.destinations.some((one) => destinations.includes(one))) {
    return undefined;
  }
  return { ...filter, ...by };
}

/** Unknown channels are refused, because an empty list would be misleading. */
export async function filterOf(
  { db }: Pick<ApiDeps, 'db'>,
  { caller, query }: { readonly caller: WorkspaceCaller; readonly query: DeliveryListQuery | HistogramQuery },
): Promise<Filter> {
  const httpStatuses = httpStatusesOf(query.httpStatus);
  const timeOf = (instant: string | undefined) => (instant === undefined ? undefined : new Date(instant));
  return {
    workspaceId: caller.workspace.id,
    ...(await placeOf(db, { caller, query })),
    statuses: query.status ?? (httpStatuses && statusesWith(httpStatuses)),
    eventTypes: query.eventType,
    destinations: query.destination,
    httpStatuses,
    sender: query.sender,
    platformMessageId: query.platformMessageId,
    since: timeOf(query.since),
    until: timeOf(query.until),
  };
}

type Place = Pick<Filter, 'channelId' | 'channelIds'>;

/** A portal that is limited to channels names them in the scope or the filter. */
async function placeOf(
  db: ApiDeps['db'],
  {
    caller,
    query,
  }: { readonly caller: WorkspaceCaller; readonly query: Pick<DeliveryListQuery, 'scope' | 'channelId'> },
): Promise<Place> {
  const { scope, channelId: publicIds } = query;
  const channelIds = publicIds && (await Promise.all(publicIds.map((publicId) => findOne(publicId))));
  if (channelIds && scope === undefined) return { channelIds };
  return { channelId: await channelOfScope(db, caller, scope), channelIds };

  async function findOne(publicId: string): Promise<number> {
    requireChannel(caller.principal, publicId, 'CHANNEL_NOT_FOUND');
    const id = await findChannelOfDeliveries(db, { workspaceId: caller.workspace.id, publicId });
    if (id === undefined) throw new NotFound('CHANNEL_NOT_FOUND');
    return id;
  }
}

const ACCEPTED = { from: 200, to: 299 } as const;

/** No delivered one has another response, and the others are few: the planner uses their index. */
function statusesWith(httpStatuses: readonly number[]): Filter['statuses'] {
  const isRefused = httpStatuses.every((status) => status >= 0 && (status < ACCEPTED.from || status > ACCEPTED.to));
  return isRefused ? ['pending', 'retrying', 'exhausted', 'cancelled', 'skipped'] : undefined;
}

const CLASS_SIZE = 100;

/** Expands the classes of a filter, such as `5xx`. */
export function httpStatusesOf(words: readonly string[] | undefined): readonly number[] | undefined {
  return words?.flatMap((word) => {
    if (word === 'none') return [NO_RESPONSE];
    if (!word.endsWith('xx')) return [Number(word)];
    return Array.from({ length: CLASS_SIZE }, (_, index) => Number(word[0]) * CLASS_SIZE + index);
  });
}

type ListDetails = Pick<DeliveryListItemBody, 'lastAttempt' | 'preview'>;

/** Reads what the caller asked for, for all deliveries of a page at once. */
export async function loadListDetails(
  deps: Pick<ApiDeps, 'readDb' | 'bodyBox' | 'log' | 'nextTurn'>,
  {
    deliveries,
    include = [],
  }: { deliveries: readonly DeliveryRecord[]; include?: readonly ListInclusion[] | undefined },
): Promise<(delivery: DeliveryRecord) => ListDetails> {
  const hasAttempts = include.includes('lastAttempt');
  const hasPreviews = include.includes('preview');
  const [lastAttempts, bodies] = await Promise.all([
    hasAttempts
      ? readLastAttempts(
          deps.readDb,
          deliveries.filter(wasAttempted).map(({ id }) => id),
        )
      : undefined,
    hasPreviews
      ? readListedBodies(
          deps.readDb,
          deliveries.map(({ eventId }) => eventId),
        )
      : undefined,
  ]);
  const previews = bodies && (await previewsOf(deps, bodies));
  return ({ id, eventId }) => ({
    ...(lastAttempts && { lastAttempt: presentLast(lastAttempts.get(id)) }),
    ...(previews && { preview: previews.get(eventId) ?? null }),
  });
}

async function previewsOf(
  deps: Pick<ApiDeps, 'bodyBox' | 'log' | 'nextTurn'>,
  bodies: ReadonlyMap<number, ListedBody>,
): Promise<Map<number, string | null>> {
  const open = openBodies(deps, 'preview');
  const bytesOf = ([, { bytes }]: readonly [number, ListedBody]): number => bytes;
  const previews = new Map<number, string | null>();
  for await (const [eventId, { body }] of inSlices(bodies, { bytesOf, next: deps.nextTurn })) {
    const plain = open.attempt(body);
    previews.set(eventId, plain ? previewOf(plain.toString('utf8')) : null);
  }
  return previews;
}

const wasAttempted = ({ attemptCount }: DeliveryRecord): boolean => attemptCount > 0;

function presentLast(last: LastAttempt | undefined): NonNullable<ListDetails['lastAttempt']> | null {
  return last ? { ...last, startedAt: last.startedAt.toISOString() } : null;
}
