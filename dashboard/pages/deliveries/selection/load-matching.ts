import type { ApiClient } from '../../../../client/create-client.ts';
import { type DeliveryFilters, type ListedDelivery, listQueryOf } from '../filters/delivery-filters.ts';

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
