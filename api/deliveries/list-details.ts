import { previewOf } from '../../contract/deliveries/preview.ts';
import {
  type LastAttempt,
  type ListedBody,
  readLastAttempts,
  readListedBodies,
} from '../../db/deliveries/list-details.ts';
import type { DeliveryRecord } from '../../db/deliveries/records.ts';
import type { DeliveryListItemBody, ListInclusion } from '../../openapi/deliveries/list-schema.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { openBodies } from './open-bodies.ts';

export type ListDetails = Pick<DeliveryListItemBody, 'lastAttempt' | 'preview'>;

/** Reads what the caller asked for, for all deliveries of a page at once. */
export async function loadListDetails(
  deps: Pick<ApiDeps, 'readDb' | 'bodyBox' | 'log'>,
  {
    deliveries,
    include = [],
  }: { deliveries: readonly DeliveryRecord[]; include?: readonly ListInclusion[] | undefined },
): Promise<(delivery: DeliveryRecord) => ListDetails> {
  const [hasAttempts, hasPreviews] = [include.includes('lastAttempt'), include.includes('preview')];
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
  return ({ id, eventId }) => ({
    ...(lastAttempts && { lastAttempt: presentLast(lastAttempts.get(id)) }),
    ...(bodies && { preview: previewIn(bodies.get(eventId), openBodies(deps, String(id))) }),
  });
}

const wasAttempted = ({ attemptCount }: DeliveryRecord): boolean => attemptCount > 0;

function previewIn(listed: ListedBody | undefined, open: ReturnType<typeof openBodies>): string | null {
  const body = listed && open.attempt(listed.body);
  return body ? previewOf(body.toString('utf8')) : null;
}

function presentLast(last: LastAttempt | undefined): NonNullable<ListDetails['lastAttempt']> | null {
  return last ? { ...last, startedAt: last.startedAt.toISOString() } : null;
}
