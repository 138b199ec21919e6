import type { Knex } from 'knex';
import type { ErasureCounts } from '../../contract/erasures/erasure.ts';
import { queryRows } from '../core/query-rows.ts';
import type { OpenErasure } from './next-slice.ts';
import { personPattern } from './person-scope.ts';
import type { Slice } from './walk-channels.ts';
import type { WalkedStep } from './walked-steps.ts';

export interface ErasedSlice {
  readonly erased: ErasureCounts;
  readonly next: Slice['next'];
}

export const WALKED_ROWS = 1_000;

/** Erases what the next rows of a table contain. */
export async function eraseRows(
  trx: Knex,
  erasure: OpenErasure,
  { table, count, changeSql }: WalkedStep,
): Promise<ErasedSlice> {
  const change = changeSql(erasure.kind);
  if (change === undefined) return { erased: {}, next: undefined };
  const { atId, createdAt, organizationId, workspaceId, channelId, personIds } = erasure;
  const [walked] = await queryRows<{ looked: number; last: number | null; changed: number }>(
    trx,
    `with looked as materialized (select id from ${table} where id > :atId order by id limit :limit),
     changed as (${change})
     select (select count(*)::int from looked) as looked, (select max(id) from looked) as last,
       (select count(*)::int from changed) as changed`,
    {
      atId,
      createdAt,
      organizationId,
      workspaceId,
      channelId,
      limit: WALKED_ROWS,
      personPattern: personIds === null ? null : personPattern(personIds),
    },
  );
  const { looked, last, changed } = walked!;
  const next = looked < WALKED_ROWS ? undefined : { atChannelId: 0, atId: last! };
  return { erased: { [count]: changed }, next };
}
