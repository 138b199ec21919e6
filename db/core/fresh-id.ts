import { randomBytes } from 'node:crypto';
import { type IdKind, randomId } from '../../contract/ids.ts';

/** Of 62^8 ids, even if a million are taken, five draws in a row collide once in 10^41 times. */
const MAX_DRAWS = 5;

/**
 * Inserts a row under an unused public id. `insert` must use `on conflict (public_id) do nothing` and return undefined
 * on a conflict; it is then called again with another id. A unique violation would abort the transaction.
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
