import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type RetentionTask, retentionTasks } from '../../contract/upkeep/retention.ts';

export interface UpkeepState {
  /** Seconds since the task last finished, or since the installation was created. */
  readonly retention: readonly { readonly task: RetentionTask; readonly seconds: number }[];
  /** Credentials of connected channels that have ended, or will end before `endsWithinMs` has passed. */
  readonly endingCredentialCount: number;
}

/**
 * A credential is refreshed days before it ends, so one that ends soon could not be refreshed. Credentials without an end
 * do not count.
 */
export async function readUpkeepState(
  db: Knex,
  { endsWithinMs }: { readonly endsWithinMs: number },
): Promise<UpkeepState> {
  const [retention, [credentials]] = await Promise.all([
    queryRows<UpkeepState['retention'][number]>(
      db,
      `select named.task, extract(epoch from now() - coalesce(s.ended_at, i.created_at))::float8 as seconds
       from installation i cross join unnest(:tasks::text[]) as named (task)
       left join retention_sweeps s on s.task = named.task
       order by named.task`,
      { tasks: retentionTasks },
    ),
    queryRows<{ count: number }>(
      db,
      `select count(*)::int as count from connection_credentials k
       where k.expires_at < now() + :endsWithinMs * interval '1 millisecond'
         and exists (select from channels c where c.credential_id = k.id and c.disconnected_at is null)`,
      { endsWithinMs },
    ),
  ]);
  return { retention, endingCredentialCount: credentials!.count };
}
