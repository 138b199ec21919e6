import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { addUsage } from '../usage/count-usage.ts';
import { type CountedUsage, countCallsSql } from '../usage/usage-sources.ts';
import { WALKED_ROWS } from './erase-rows.ts';
import type { OpenErasure } from './next-slice.ts';
import { namesPersonSql, personPattern, placedScopeSql } from './person-scope.ts';

/**
 * Counts the calls that the next slice deletes or empties, if usage has not counted them yet. The mark's new revision
 * lets a count that has already read them begin again.
 */
export async function countErasedCalls(trx: Knex, erasure: OpenErasure): Promise<void> {
  if (erasure.kind === 'event') return;
  const { atId, createdAt, organizationId, workspaceId, channelId, personIds } = erasure;
  const [mark] = await queryRows<{ countedTo: number }>(
    trx,
    `update usage_marks set revision = revision + 1 where source = 'outbound_calls' returning counted_to as "countedTo"`,
  );
  const counts = await queryRows<CountedUsage>(trx, countCallsSql(erasedCallsSql), {
    ...{ atId, createdAt, organizationId, workspaceId, channelId, limit: WALKED_ROWS },
    countedTo: mark?.countedTo ?? 0,
    personPattern: personIds === null ? null : personPattern(personIds),
  });
  await addUsage(trx, counts);
}

const erasedCallsSql = `
  select o.* from (select * from outbound_calls where id > :atId order by id limit :limit) o
  where o.id > cast(:countedTo as bigint) and ${placedScopeSql}
    and (cast(:personPattern as text) is null or ${namesPersonSql('o.path')})`;
