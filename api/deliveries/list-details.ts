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
import { inSlices } from '../requests/loop-turns.ts';
import { openBodies } from './open-bodies.ts';

export type ListDetails = Pick<DeliveryListItemBody, 'lastAttempt' | 'preview'>;

/** Reads what the caller asked for, for all deliveries of a page at once. */
export async function loadListDetails(
  deps: Pick<ApiDeps, 'readDb' | 'bodyBox' | 'log' | 'nextTurn'>,
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
