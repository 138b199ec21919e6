import { findChannelRecord } from '../../db/channels/records.ts';
import { findChannelOfDeliveries } from '../../db/deliveries/filters.ts';
import { findNamedDestinations } from '../../db/deliveries/named-destinations.ts';
import type { ReplayFilters, ReplayPlace } from '../../db/replays/plan.ts';
import { type ReplayInput, selectingFilters } from '../../openapi/replays/routes.ts';
import { findDeliveries, httpStatusesOf } from '../deliveries/list-deliveries.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { InvalidRequest, NotFound } from '../requests/errors.ts';

/**
 * Resolves the filters that a replay shares with the list of deliveries. What they leave is the same as in the list.
 * Texts that may identify a person are compared now, and the replay keeps only the ids of the deliveries.
 */
export async function replayFiltersOf(
  deps: ApiDeps,
  { place, input }: { readonly place: ReplayPlace; readonly input: ReplayInput },
): Promise<ReplayFilters> {
  const { originalDestinations = null, httpStatuses = null } = input;
  const named = originalDestinations && (await findNamedDestinations(deps.db, originalDestinations));
  const filters = {
    channelIds: await channelIdsOf(deps, place, input.channelIds),
    originalDestinations,
    originalDestinationIds: originalDestinations && (named ?? []),
    httpStatuses,
  };
  const selectedBy = selectingFilters.filter((name) => input[name] !== undefined);
  if (selectedBy.length === 0) return { ...filters, selectedBy: null, selectedIds: null };
  return {
    ...filters,
    selectedBy,
    selectedIds: await selectIds(deps, { place, input, channelIds: filters.channelIds }),
  };
}

async function channelIdsOf(
  { db }: ApiDeps,
  { organizationId, workspaceId }: ReplayPlace,
  publicIds: readonly string[] | undefined,
): Promise<readonly number[] | null> {
  if (publicIds === undefined) return null;
  return await Promise.all(
    publicIds.map(async (publicId) => {
      if (workspaceId !== null) return found(await findChannelOfDeliveries(db, { workspaceId, publicId }));
      const channel = await findChannelRecord(db, { publicId });
      return found(channel?.organizationId === organizationId ? channel.id : undefined);
    }),
  );
}

function found(id: number | undefined): number {
  if (id === undefined) throw new NotFound('CHANNEL_NOT_FOUND');
  return id;
}

/** About a second of processor time for bodies of 2 KiB. */
const MAX_SCANNED = 20_000;
const MAX_SELECTED = 20_000;
const PAGE_SIZE = 1_000;

interface Selection {
  readonly place: ReplayPlace;
  readonly input: ReplayInput;
  readonly channelIds: readonly number[] | null;
}

async function selectIds(deps: ApiDeps, { place, input, channelIds }: Selection): Promise<number[]> {
  const { workspaceId, channelId } = place;
  if (workspaceId === null) throw new Error('The schema refuses a search in a whole organization');
  const filter = {
    workspaceId,
    channelId: channelId ?? undefined,
    channelIds: channelIds ?? undefined,
    since: new Date(input.since),
    until: new Date(input.until),
    statuses: input.statuses,
    eventTypes: input.eventTypes,
    destinations: input.originalDestinations,
    sender: input.sender,
    platformMessageId: input.platformMessageId,
    httpStatuses: httpStatusesOf(input.httpStatuses),
  };
  const ids: number[] = [];
  let scannedCount = 0;
  for (let before: number | undefined; ;) {
    const page = await findDeliveries(deps, { filter: { ...filter, before }, search: input.search, limit: PAGE_SIZE });
    ids.push(...page.found.map(({ id }) => id));
    scannedCount += page.report?.scannedCount ?? 0;
    const next = page.stoppedAt ?? (page.found.length >= PAGE_SIZE ? page.found.at(-1)?.id : undefined);
    if (next === undefined) return ids;
    if (scannedCount >= MAX_SCANNED || ids.length >= MAX_SELECTED) throw tooMany(input);
    before = next;
  }
}

function tooMany({ search }: ReplayInput): InvalidRequest {
  const name = search === undefined ? 'since' : 'search';
  return new InvalidRequest(
    `body.${name}: there are more than 20,000 deliveries to compare. Use a shorter time span or further filters.`,
  );
}
