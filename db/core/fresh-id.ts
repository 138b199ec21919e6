import { randomBytes } from 'node:crypto';
import { type IdKind, randomId } from '../../contract/ids.ts';

/** With a million of 62^8 ids taken, five draws collide once in 10^41 times. */
const MAX_DRAWS = 5;

/**
 * Inserts a row under an unused public id. `insert` must use `on conflict (public_id) do nothing`, because a unique
 * violation would abort the transaction, and return undefined on a conflict.
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
