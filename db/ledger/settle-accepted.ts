import { type HotPool, isDataError } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import { type AttemptResult, attemptParameters, attemptColumnNames, insertAttemptsSql } from './attempts.ts';
import { isNotified, moveDeliveriesSql, notifiedSql, releasedSql } from './transitions/move-deliveries-sql.ts';
import { type DeliveryTransition, deliveryTransitions, waitingStatuses } from '../../contract/deliveries/status.ts';

/**
 * Records accepted attempts and the end of their deliveries, regardless of row status and lease, because the receiver has
 * the event. Overwrites a failure that another pump logged for the same attempt. What they mean for their destination is
 * recorded apart (`recordAccepted`).
 */
export async function settleAccepted(pool: HotPool, settled: readonly AttemptResult[]): Promise<void> {
  const ordered = settled.toSorted((a, b) => a.deliveryId - b.deliveryId);
  const left = await settleWaiting(pool, ordered);
  if (left.length > 0) await pool.query(statement(attempts.values(left)));
}

const attempts = attemptParameters<AttemptResult>();

const statement = namedStatement<Record<string, unknown>>(
  'settle-accepted',
  `
with settled as materialized (
  select s.*, dest.channel_id from ${attempts.from('s')} left join destinations dest on dest.id = s.destination_id
),
logged as (${insertAttemptsSql('settled')}
  on conflict (delivery_id, number) do update set channel_id = excluded.channel_id, started_at = excluded.started_at,
    duration_ms = excluded.duration_ms, outcome = excluded.outcome, status = excluded.status, response_headers = excluded.response_headers,
    response_body = excluded.response_body, response_body_key_id = excluded.response_body_key_id, error = excluded.error,
    request = excluded.request,
    batch = excluded.batch
  where attempts.outcome <> 'accepted'
),
${moveDeliveriesSql({
  source: 'settled s',
  id: 's.id',
  transition: 'deliver',
  where: 'd.id = any (:id::bigint[])',
  set: 'attempt_count = greatest(d.attempt_count, s.number)',
  notify: 'released',
})}
select where ${isNotified}`,
);

/**
 * Records accepted attempts of deliveries that wait: nearly all of them, at a fraction of the cost of the general
 * statement. Returns the others, of which it changes nothing.
 */
async function settleWaiting(pool: HotPool, settled: readonly AttemptResult[]): Promise<readonly AttemptResult[]> {
  if (settled.length === 0) return [];
  try {
    const { rows } = await pool.query<SettledRow>(
      waitingStatement({ ...attempts.values(settled), count: settled.length }),
    );
    const [{ is_complete: isComplete, ids }] = rows as [SettledRow];
    if (isComplete) return [];
    const taken = new Set(ids?.map(Number));
    return settled.filter(({ deliveryId }) => !taken.has(deliveryId));
  } catch (error) {
    // Another pump has logged a failure of the same attempt, or the receiver's answer cannot be stored.
    if (isDataError(error)) return settled;
    throw error;
  }
}

interface SettledRow {
  readonly is_complete: boolean;
  /** `pg` parses no elements of `bigint[]`. */
  readonly ids: readonly string[] | null;
}

/** An end does not change these. */
const KEPT_COLUMNS = [
  ...['id', 'event_id', 'channel_id', 'workspace_id', 'destination_id', 'shard', 'conversation_key', 'event_type'],
  ...['failed_in_schedule', 'created_at', 'restarted_at', 'pump_retries'],
];
/** Null after an end without a reason. */
const CLEARED_COLUMNS = ['next_attempt_at', 'skip_reason', 'cancellation'];
const SET_COLUMNS = ['attempt_count', 'status', 'xid'];

export const endedColumns: readonly string[] = [...KEPT_COLUMNS, ...CLEARED_COLUMNS, ...SET_COLUMNS];

const waitingStatement = namedStatement<Record<string, unknown>>('settle-waiting', waitingSql());

/**
 * Builds the statement that ends deliveries that wait, and leaves those that have ended. A deletion and an insertion cost
 * a tenth less than the update that moves the row, because the plan opens one partition instead of all.
 */
function waitingSql(): string {
  const { from, to }: DeliveryTransition = deliveryTransitions.deliver;
  if (!waitingStatuses.every((status) => from.includes(status))) throw new Error('Not all waiting deliveries may end');
  const kept = KEPT_COLUMNS.join(', ');
  return `
with taken as (
  delete from deliveries_waiting d using ${attempts.from('s')}
  where d.id = s.id and d.id = any (:id::bigint[]) and d.attempt_count < s.number
  returning ${KEPT_COLUMNS.map((column) => `d.${column}`).join(', ')}, s.number as attempt_count, ${attemptColumnNames.map((column) => `s.${column}`).join(', ')}
),
moved as (
  insert into deliveries (${kept}, attempt_count, status, xid)
  select ${kept}, attempt_count, '${to}', pg_current_xact_id() from taken
),
${releasedSql('taken')}
${notifiedSql.released},
logged as (${insertAttemptsSql('taken')}
)
select count(*) = :count::int as is_complete, case when count(*) < :count::int then array_agg(id) end as ids
from taken where ${isNotified}`;
}
