import type { Knex } from 'knex';
import type { ErasureCounts } from '../../contract/erasures/erasure.ts';
import { queryRows } from '../core/query-rows.ts';
import type { OpenErasure, Slice } from './next-slice.ts';
import { idempotentScopeSql, namesPersonSql, placedScopeSql, personPattern } from './person-scope.ts';

interface ErasedCalls {
  readonly erased: ErasureCounts;
  readonly next: Slice['next'];
}

const WALKED_ROWS = 1_000;

/** Calls name people in their path only. Those of a workspace are deleted, those that name a sender lose the path. */
export async function eraseOutboundCalls(trx: Knex, erasure: OpenErasure): Promise<ErasedCalls> {
  if (erasure.kind === 'event') return { erased: {}, next: undefined };
  const change =
    erasure.kind === 'workspace'
      ? `delete from outbound_calls o using looked where o.id = looked.id and ${placedScopeSql}`
      : `update outbound_calls o set path = '/', error = null from looked
         where o.id = looked.id and ${namesPersonSql('o.path')} and ${placedScopeSql}`;
  const { count, next } = await walk(trx, { erasure, table: 'outbound_calls', change });
  return { erased: { outboundCalls: count }, next };
}

/** The kept answer of a call is deleted; its key stays, so that a repetition does not send again. */
export async function eraseIdempotentCalls(trx: Knex, erasure: OpenErasure): Promise<ErasedCalls> {
  if (erasure.kind === 'event') return { erased: {}, next: undefined };
  const change = `update idempotent_calls o set answer = '{}'::jsonb from looked, channels c
    where o.id = looked.id and ${idempotentScopeSql} and o.answer <> '{}'::jsonb
      and (cast(:personPattern as text) is null or ${namesPersonSql('o.answer::text')})`;
  const { count, next } = await walk(trx, { erasure, table: 'idempotent_calls', change });
  return { erased: { idempotentCalls: count }, next };
}

interface Walk {
  readonly erasure: OpenErasure;
  readonly table: 'outbound_calls' | 'idempotent_calls';
  readonly change: string;
}

async function walk(trx: Knex, { erasure, table, change }: Walk): Promise<{ count: number; next: Slice['next'] }> {
  const { atId, createdAt, organizationId, workspaceId, channelId, sender } = erasure;
  const pattern = sender === null ? null : personPattern(sender);
  const [walked] = await queryRows<{ looked: number; last: number | null; count: number }>(
    trx,
    `with looked as materialized (select id from ${table} where id > :atId order by id limit :limit),
     changed as (${change} returning 1)
     select (select count(*)::int from looked) as looked, (select max(id) from looked) as last,
       (select count(*)::int from changed) as count`,
    { atId, createdAt, organizationId, workspaceId, channelId, personPattern: pattern, limit: WALKED_ROWS },
  );
  const { looked, last, count } = walked!;
  return { count, next: looked < WALKED_ROWS ? undefined : { atChannelId: 0, atId: last! } };
}
