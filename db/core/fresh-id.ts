import { randomBytes } from 'node:crypto';
import { type IdKind, randomId } from '../../contract/ids.ts';

/** 62^8 ids: even with a million taken, five draws in a row collide once in 10^41 times. */
const MAX_DRAWS = 5;

/**
 * Inserts a row under an id that nobody has: `insert` answers undefined when its `on conflict (public_id) do nothing`
 * met a taken one, and is asked again with another. A conflict that raised an error would end the transaction.
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
