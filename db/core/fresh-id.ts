import { randomBytes } from 'node:crypto';
import { type IdKind, randomId } from '../../contract/ids.ts';

/** With a million ids taken, the probability of five collisions is about 10^-41. */
const MAX_DRAWS = 5;

/**
 * `insert` must use `on conflict (public_id) do nothing` and return undefined on a conflict; a unique violation would
 * abort the transaction.
 */
export async function withFreshId<Row>(
  kind: IdKind,
  insert: (publicId: string) => Promise<Row | undefined>,
): Promise<Row> {
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const row = await insert(randomId(kind, randomBytes));
    if (row !== undefined) return row;
  }
  throw new Error(`No free ${kind} id in ${MAX_DRAWS} draws`);
}
