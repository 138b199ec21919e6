import type { Knex } from 'knex';
import { eraseSlice } from '../../db/erasures/erase-slice.ts';
import { type ErasureScope, findErasure, insertErasure } from '../../db/erasures/erasures.ts';

type Scope = Partial<ErasureScope> & Pick<ErasureScope, 'kind'>;

/** Erasures of an organization that wait for no late answers. */
export function erasuresOf(db: Knex, organizationId: number) {
  const none = { eventId: null, sender: null, workspaceId: null, channelId: null };
  const begin = async (scope: Scope): Promise<string> =>
    await insertErasure(db, { organizationId, ...none, ...scope, reason: 'asked for' });
  const finish = async (publicId: string) => {
    while ((await eraseSlice(db, publicId, { lateMs: 0 }))?.status !== 'completed');
    return (await findErasure(db, { organizationId, publicId }))!;
  };
  /** Returns the counts of the whole erasure. */
  const erase = async (scope: Scope) => (await finish(await begin(scope))).counts;
  return { begin, finish, erase };
}
