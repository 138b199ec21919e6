import { type HotPool, isDataError } from '../core/hot-pool.ts';
import { namedStatement } from '../core/named-statement.ts';
import {
  type AttemptResult,
  attemptParameters,
  attemptColumnNames,
  insertAttemptsSql,
  latestSql,
  unlockedSql,
} from './attempts.ts';
import { successSql } from './destinations/failure-counts-sql.ts';
import { isNotified, moveDeliveriesSql, notifiedSql, releasedSql } from './transitions/move-deliveries-sql.ts';
import {
  type DeliveryTransition,
  deliveryTransitions,
  endsDelivery,
  type TransitionName,
  waitingStatuses,
} from '../../contract/deliveries/status.ts';

export interface SettleOptions {
  /** Optional. Whether to wait for destinations that another transaction has locked. Default: true. */
  readonly waits?: boolean;
}

export interface AcceptedSettlement {
  /** Destinations whose circuit closed. */
  readonly closedIds: readonly number[];
  /** Destinations that another transaction has locked. Their attempts are not recorded. */
  readonly lockedIds: ReadonlySet<number>;
}

/**
 * Records accepted attempts regardless of row status and lease, because the receiver has the event. Closes an open
 * circuit, unless the receiver requested a pause after the attempt started; a probe always closes it.
 */
export async function settleAccepted(
  pool: HotPool,
  settled: readonly AttemptResult[],
  { isProbe = false, waits = true }: SettleOptions & { readonly isProbe?: boolean } = {},
): Promise<AcceptedSettlement> {
  const ordered = settled.toSorted((a, b) => a.deliveryId - b.deliveryId);
  const tried = isProbe ? { left: ordered, lockedIds: [] } : await settleWaiting(pool, ordered);
  const lockedIds = new Set<number>(waits ? [] : tried.lockedIds);
  const left = tried.left.filter(({ destinationId }) => !lockedIds.has(destinationId));
  if (left.length === 0) return { closedIds: [], lockedIds };
  const { rows } = await pool.query<{ id: number; is_left_out: boolean }>(
    statement({ ...attempts.values(left), isProbe, waits }),
  );
  for (const { id, is_left_out: isLeftOut } of rows) if (isLeftOut) lockedIds.add(id);
  return { closedIds: rows.filter((row) => !row.is_left_out).map(({ id }) => id), lockedIds };
}

const attempts = attemptParameters<AttemptResult>();

/**
 * Overwrites a failure that another pump logged for the same attempt. Failures that began later stay in a row. When a
 * circuit closes, due heads hold their conversations for at least 30 seconds, so that they are sent first. A circuit
 * open for less than a second starts no recovery ramp.
 */
const statement = namedStatement<Record<string, unknown>>(
  'settle-accepted',
  `${attempts.sql} do update set channel_id = excluded.channel_id, started_at = excluded.started_at,
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
})},
${successSql(`l.circuit = 'open' and (l.circuit_reason = 'failures' and not row.is_later
      or latest.started_at >= l.circuit_opened_at or :isProbe)`)},
closed as materialized (
  select l.id, l.shard, v.was_away from verdict v join locked l using (id) where v.closes
),
held as (
  update conversation_holds h set until_at = greatest(h.until_at, now() + interval '30 seconds')
  from closed, deliveries d
  where closed.was_away and h.destination_id = closed.id
    and d.id = h.delivery_id and d.id <> all (:id::bigint[]) and d.status = 'retrying' and d.next_attempt_at <= now()
)
select id, false as is_left_out, pg_notify('deliveries', shard::text) from closed where ${isNotified}
union all select id, true, null from left_out`,
);

interface LeftAttempts {
  readonly left: readonly AttemptResult[];
  /** Destinations that another transaction has locked. Their attempts are left. */
  readonly lockedIds: readonly number[];
}

/**
 * Records accepted attempts of deliveries that wait, if their destination's circuit is closed and no other transaction
 * has locked it: nearly all of them, at nine tenths of the cost of the general statement. Returns the others, of which
 * it changes nothing.
 *
 * @param settled In the order of their deliveries, so that two statements wait for each other and don't deadlock.
 */
async function settleWaiting(pool: HotPool, settled: readonly AttemptResult[]): Promise<LeftAttempts> {
  if (settled.length === 0) return { left: [], lockedIds: [] };
  try {
    const { rows } = await pool.query<SettledRow>(
      waitingStatement({ ...attempts.values(settled), count: settled.length }),
    );
    const [{ is_complete: isComplete, ids, locked_ids: lockedIds }] = rows as [SettledRow];
    if (isComplete) return { left: [], lockedIds: [] };
    const taken = new Set(ids?.map(Number));
    const left = settled.filter(({ deliveryId }) => !taken.has(deliveryId));
    return { left, lockedIds: lockedIds?.map(Number) ?? [] };
  } catch (error) {
    // Another pump has logged a failure of the same attempt, or the receiver's answer cannot be stored.
    if (isDataError(error)) return { left: settled, lockedIds: [] };
    throw error;
  }
}

interface SettledRow {
  readonly is_complete: boolean;
  /** `pg` parses no elements of `bigint[]`. */
  readonly ids: readonly string[] | null;
  readonly locked_ids: readonly string[] | null;
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

/** Counting `locked` makes the deletion wait for the locks, as in `attempts.ts`. */
const waitingStatement = namedStatement<Record<string, unknown>>(
  'settle-waiting',
  `
with ${unlockedSql},
${endWaitingSql({
  source: `${attempts.from('s')} join locked l on l.id = s.destination_id`,
  id: 's.id',
  transition: 'deliver',
  where: `d.id = any (:id::bigint[]) and d.attempt_count < s.number and l.circuit = 'closed'
    and (select count(*) from locked) >= 0`,
  attemptCount: 's.number',
  returning: attemptColumnNames.map((column) => `s.${column}`).join(', '),
})},
logged as (${insertAttemptsSql('taken')}
),
${latestSql('taken')},
${successSql('false')}
select count(*) = :count::int as is_complete, case when count(*) < :count::int then array_agg(id) end as ids,
  case when count(*) < :count::int then array(
    select id from destinations where id = any (:destination_id::bigint[]) and id not in (select id from locked)
  ) end as locked_ids
from taken where ${isNotified}
`,
);

/** The end of deliveries that wait. It leaves those that have already ended. */
interface WaitingEnd {
  /** The relation that chooses the deliveries. */
  readonly source: string;
  readonly id: string;
  readonly transition: TransitionName;
  /** A condition over the delivery `d` and the source. */
  readonly where: string;
  readonly attemptCount: string;
  /** Columns of the source that `taken` returns. Their names must differ from those of a delivery. */
  readonly returning: string;
}

/**
 * Builds `taken`, `released` and `notified` as `moveDeliveriesSql` does. A deletion and an insertion cost a tenth less
 * than the update that moves the row, because the plan opens one partition instead of all.
 */
function endWaitingSql({ source, id, transition, where, attemptCount, returning }: WaitingEnd): string {
  const { from, to }: DeliveryTransition = deliveryTransitions[transition];
  const endsAllWaiting = endsDelivery(transition) && waitingStatuses.every((status) => from.includes(status));
  if (!endsAllWaiting || transition === 'skip')
    throw new Error(`The transition ${transition} cannot end waiting deliveries`);
  const kept = KEPT_COLUMNS.join(', ');
  return `
taken as (
  delete from deliveries_waiting d using ${source}
  where d.id = ${id} and ${where}
  returning ${KEPT_COLUMNS.map((column) => `d.${column}`).join(', ')}, ${attemptCount} as attempt_count, ${returning}
),
moved as (
  insert into deliveries (${kept}, attempt_count, status, xid)
  select ${kept}, attempt_count, '${to}', pg_current_xact_id() from taken
),
${releasedSql('taken')}
${notifiedSql.released}`;
}
