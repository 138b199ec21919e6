import type { Knex } from 'knex';
import { isId, sequencedId, type SequencedKind, sequenceOf } from '../../contract/ids.ts';
import type { StaffDeliveryListQuery } from '../../openapi/staff/schema.ts';
import { DEFAULT_PAGE_SIZE } from '../../openapi/definitions/fields.ts';
import { findDeliveries } from '../../db/deliveries/records.ts';
import { findChannelsOfResource } from '../../db/staff/find-channels.ts';
import { findOrganizations, findSearchSubjects } from '../../db/staff/search-subjects.ts';
import { listStaffDeliveries, type StaffDelivery } from '../../db/staff/list-staff-deliveries.ts';
import {
  type FoundDeliveries,
  searchDeliveries as search,
  type StaffSearch,
} from '../../db/staff/search-deliveries.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { InvalidRequest, NotFound } from '../requests/errors.ts';
import { invalidCursor } from '../routing/page.ts';
import { scanDeliveries } from './scan-deliveries.ts';

export interface SearchedPage {
  readonly deliveries: readonly StaffDelivery[];
  readonly nextCursor: string | null;
  /** With those whose bodies were compared with a text. */
  readonly organizationIds: readonly number[];
}

type SearchDeps = Pick<ApiDeps, 'db' | 'readDb' | 'idKey' | 'bodyBox' | 'log' | 'nextTurn'>;

/** Reads a limited number of rows, so a short page may have a next one. */
export async function searchDeliveries(deps: SearchDeps, query: StaffDeliveryListQuery): Promise<SearchedPage> {
  const { db, readDb, idKey } = deps;
  const size = query.limit ?? DEFAULT_PAGE_SIZE;
  const filter = await filterOf(deps, query);
  const { ids, stoppedAt } = await find(deps, { filter, text: query.text, limit: size + 1 });
  const shown = ids.slice(0, size);
  const next = ids.length > size ? shown.at(-1) : (stoppedAt ?? undefined);
  const deliveries = await listStaffDeliveries(readDb, shown);
  const compared = query.text === undefined ? [] : await findOrganizations(db, filter);
  return {
    deliveries,
    nextCursor: next === undefined ? null : sequencedId(idKey, 'delivery', next),
    organizationIds: [...new Set([...compared, ...deliveries.map(({ organizationId }) => organizationId)])],
  };
}

interface Find {
  readonly filter: Omit<StaffSearch, 'limit'>;
  readonly text: string | undefined;
  readonly limit: number;
}

async function find(deps: SearchDeps, { filter, text, limit }: Find): Promise<FoundDeliveries> {
  const { readDb } = deps;
  if (text === undefined) return await search(readDb, { ...filter, limit });
  const { found, stoppedAt } = await scanDeliveries(deps, {
    term: { kind: 'text', text },
    before: filter.before,
    limit,
    async read(part) {
      const { ids, stoppedAt } = await search(readDb, { ...filter, ...part });
      const rows = await findDeliveries(readDb, ids, { workspaceId: null });
      // Fewer rows than ids are no end: retention may have deleted some in between.
      return { rows, stoppedAt: ids.length < part.limit ? stoppedAt : ids.at(-1)! };
    },
  });
  return { ids: found.map(({ id }) => id), stoppedAt };
}

async function filterOf(deps: Pick<ApiDeps, 'db' | 'readDb' | 'idKey'>, query: StaffDeliveryListQuery) {
  const { idKey } = deps;
  const instant = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const sequence = (kind: SequencedKind, id: string | undefined) =>
    id === undefined ? undefined : sequenceOf(idKey, kind, id);
  requirePlace(query);
  const before = sequence('delivery', query.cursor);
  if (query.cursor !== undefined && before === undefined) throw invalidCursor();
  return {
    ...(await placeOf(deps, query)),
    deliveryId: sequence('delivery', query.deliveryId),
    eventId: sequence('event', query.eventId),
    platformMessageId: query.platformMessageId,
    sender: query.sender,
    statuses: query.status,
    eventTypes: query.eventType,
    since: instant(query.since),
    until: instant(query.until),
    before,
  } satisfies Omit<StaffSearch, 'limit'>;
}

/** Staff read messages only of tenants that they name. */
function requirePlace({ text, channelId, resourceId, workspaceId, organizationId }: StaffDeliveryListQuery): void {
  if (text === undefined || (channelId ?? resourceId ?? workspaceId ?? organizationId) !== undefined) return;
  throw new InvalidRequest(
    'query.text: needs one of channelId, resourceId, workspaceId and organizationId, such as organizationId=org_5Jk2nWxR.',
  );
}

type Place = Pick<StaffSearch, 'channelIds' | 'workspaceId' | 'organizationId' | 'destination'>;

/** Throws for unknown ids, because an empty list would be misleading. */
async function placeOf({ db, readDb }: Pick<ApiDeps, 'db' | 'readDb'>, query: StaffDeliveryListQuery): Promise<Place> {
  const { channelId: channel, workspaceId: workspace, organizationId: organization, destination } = query;
  const named = destination === 'webhook' ? undefined : destination;
  const found = await findSearchSubjects(db, { channel, workspace, organization, destination: named });
  const subjects = [
    [channel, found.channelId, 'CHANNEL_NOT_FOUND'],
    [workspace, found.workspaceId, 'WORKSPACE_NOT_FOUND'],
    [organization, found.organizationId, 'ORGANIZATION_NOT_FOUND'],
    [named, found.destination, isId('listener', named) ? 'LISTENER_NOT_FOUND' : 'SUBSCRIPTION_NOT_FOUND'],
  ] as const;
  for (const [publicId, is, code] of subjects) if (publicId !== undefined && is === null) throw new NotFound(code);
  const channelId = found.channelId ?? found.destination?.channelId;
  return {
    channelIds: await channelIdsOf(readDb, { channelId, resourceId: query.resourceId }),
    workspaceId: found.workspaceId ?? undefined,
    organizationId: found.organizationId ?? undefined,
    destination: destination === 'webhook' ? destination : found.destination?.destinationId,
  };
}

interface NamedChannels {
  readonly channelId: number | undefined;
  readonly resourceId: string | undefined;
}

async function channelIdsOf(db: Knex, { channelId, resourceId }: NamedChannels): Promise<number[] | undefined> {
  if (resourceId === undefined) return channelId === undefined ? undefined : [channelId];
  const found = await findChannelsOfResource(db, resourceId);
  if (found.length === 0) throw new NotFound('CHANNEL_NOT_FOUND');
  return found.map(({ id }) => id).filter((id) => channelId === undefined || id === channelId);
}
