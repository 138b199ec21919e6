import { fewAtATime } from '../../../contract/few-at-a-time.ts';
import type { ApiClient } from '../../../client/create-client.ts';
import { type DeliveryFilters, type ListedDelivery, listQueryOf } from './delivery-filters.ts';

/** The selected deliveries of a list, in the order in which they were selected. */
export interface SelectedRows {
  readonly ids: ReadonlySet<string>;
  /** Where a range that is selected with the shift key begins. */
  readonly anchor: string | null;
}

export const nothingSelected: SelectedRows = { ids: new Set(), anchor: null };

export function toggled({ ids }: SelectedRows, id: string): SelectedRows {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Adds all rows between the anchor and the row. */
export function extended(
  selected: SelectedRows,
  {
    id,
    indexOf,
    at,
  }: { id: string; indexOf: (id: string) => number | undefined; at: (index: number) => string | undefined },
): SelectedRows {
  const from = selected.anchor === null ? undefined : indexOf(selected.anchor);
  const to = indexOf(id);
  if (from === undefined || to === undefined) return toggled(selected, id);
  const next = new Set(selected.ids);
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
    const one = at(index);
    if (one !== undefined) next.add(one);
  }
  return { ids: next, anchor: id };
}

/** One request per delivery, because each has its own rules, its own audit entry, and may fail alone. */
export interface BulkOutcome {
  readonly deliveryId: string;
  /** Null if it succeeded. */
  readonly error: Error | null;
}

export interface BulkRun {
  readonly ids: readonly string[];
  readonly act: (deliveryId: string) => Promise<unknown>;
  /** Called after each delivery. */
  readonly onOutcome: (outcome: BulkOutcome) => void;
  /** Stops before the next delivery. */
  readonly signal: AbortSignal;
  /** Waits if the service asks for it. Returns false if the failure is final. */
  readonly waitFor: (error: unknown) => Promise<boolean>;
}

const CONCURRENCY = 4;
const MAX_TRIES = 5;

export async function runBulk({ ids, act, onOutcome, signal, waitFor }: BulkRun): Promise<void> {
  await fewAtATime(ids, CONCURRENCY, async (deliveryId) => {
    if (signal.aborted) return false;
    onOutcome({ deliveryId, error: await attempt(deliveryId) });
    return true;
  });

  async function attempt(id: string): Promise<Error | null> {
    for (let tries = 1; ; tries++) {
      try {
        await act(id);
        return null;
      } catch (error) {
        if (tries < MAX_TRIES && !signal.aborted && (await waitFor(error))) continue;
        return error instanceof Error ? error : new Error(String(error));
      }
    }
  }
}

const PAGE_SIZE = 100;

export interface MatchingPages {
  readonly client: ApiClient;
  readonly filters: DeliveryFilters;
  readonly max: number;
  readonly onProgress: (count: number) => void;
  readonly signal: AbortSignal;
}

/** Reads the newest deliveries that match, up to `max`. Says whether there are more. */
export async function loadMatching({ client, filters, max, onProgress, signal }: MatchingPages) {
  const found: ListedDelivery[] = [];
  for (let cursor: string | null | undefined; found.length < max && cursor !== null && !signal.aborted;) {
    const query = {
      ...listQueryOf(filters),
      include: 'lastAttempt,preview',
      limit: PAGE_SIZE,
      ...(cursor && { cursor }),
    };
    const page: { deliveries: ListedDelivery[]; nextCursor: string | null } = await client.get('/deliveries', {
      params: { query },
    });
    found.push(...page.deliveries);
    cursor = page.nextCursor;
    onProgress(Math.min(found.length, max));
    if (cursor === null) return { deliveries: found.slice(0, max), hasMore: found.length > max };
  }
  return { deliveries: found.slice(0, max), hasMore: true };
}
