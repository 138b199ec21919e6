import { circuitNameOf, type CircuitReason, type FailingDestination } from '../../../contract/destinations/circuit.ts';
import type { DestinationOptions } from '../../../contract/destinations/options.ts';
import type { SkipReason, AttemptOutcome } from '../../../contract/deliveries/status.ts';
import type { Knex } from 'knex';
import { queryRows } from '../../core/query-rows.ts';
import { msSql, voidAsSql } from './delivery-sql.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { isKeptSql, presentIdSql } from './kept-urls.ts';

export interface CircuitState {
  readonly circuit: 'closed' | 'open';
  readonly reason: CircuitReason | null;
  readonly probeAtMs: number | null;
  readonly options: DestinationOptions | null;
  /** Null unless waiting deliveries must end. */
  readonly voidAs: 'cancelled' | SkipReason | null;
  readonly organizationId: number;
}

export async function readCircuit(pool: HotPool, destinationId: number): Promise<CircuitState | undefined> {
  const { rows } = await pool.query<CircuitState>({
    name: 'read-circuit',
    text: `select dest.circuit, dest.circuit_reason as reason, ${msSql('dest.circuit_probe_at')} as "probeAtMs", dest.options,
             ${voidAsSql} as "voidAs", w.organization_id as "organizationId"
           from destinations dest join channels c on c.id = dest.channel_id join workspaces w on w.id = c.workspace_id where dest.id = $1`,
    values: [destinationId],
  });
  return rows[0];
}

export async function findFailingDestinations(pool: HotPool, ids: readonly number[]): Promise<FailingDestination[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<FailingDestination>(`${failingSql} where dest.id = any ($1::bigint[])`, [ids]);
  return rows;
}

/** Returns open circuits whose workflow was lost: their probe is overdue. At most `limit` of each shard. */
export async function findOverdueCircuits(
  pool: HotPool,
  { shards, overdueMs, limit }: { shards: readonly number[]; overdueMs: number; limit: number },
): Promise<FailingDestination[]> {
  const { rows } = await pool.query<FailingDestination>({
    name: 'overdue-circuits',
    text: `select overdue.* from unnest($1::int[]) as swept (shard) cross join lateral (
             ${failingSql} where dest.circuit = 'open' and dest.shard = swept.shard
               and dest.circuit_probe_at < now() - $2 * interval '1 millisecond'
             order by dest.circuit_probe_at limit $3
           ) overdue`,
    values: [shards, overdueMs, limit],
  });
  return rows;
}

/** Filters in memory, because few circuits are open. */
export async function findOpenCircuitsNamed(pool: HotPool, names: readonly string[]): Promise<FailingDestination[]> {
  if (names.length === 0) return [];
  const { rows } = await pool.query<FailingDestination>({
    name: 'open-circuits-named',
    text: `${failingSql} where dest.circuit = 'open'`,
    values: [],
  });
  return rows.filter((destination) => names.includes(circuitNameOf(destination)));
}

/** Closes a circuit without a probe. Returns false if it was not open. */
export async function closeCircuit(
  pool: HotPool,
  { destinationId, consecutiveFailures }: { destinationId: number; consecutiveFailures: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with closed as (
       update destinations
       set circuit = 'closed', circuit_reason = null, circuit_opened_at = null, circuit_probe_at = null,
         circuit_closed_at = now(), consecutive_failures = $2, consecutive_since = now(), recent_accepted = 0,
         recent_failed = 0
       where id = $1 and circuit = 'open' returning shard
     )
     select pg_notify('deliveries', shard::text) from closed`,
    [destinationId, consecutiveFailures],
  );
  return rowCount === 1;
}

export async function findOpenCircuit(db: Knex, destinationId: number): Promise<FailingDestination | undefined> {
  const sql = `${failingSql} where dest.id = :destinationId and dest.circuit = 'open'`;
  const [destination] = await queryRows<FailingDestination>(db, sql, { destinationId });
  return destination;
}

const failingSql = `
select dest.id as "destinationId", c.public_id as "channelId", w.public_id as "workspaceId",
  coalesce(s.public_id, dest.type) as destination, ${isKeptSql('dest')} as "isKept",
  ${msSql('coalesce(dest.circuit_probe_at, now())')} as "probeAtMs"
from destinations dest
join channels c on c.id = dest.channel_id
join workspaces w on w.id = c.workspace_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}`;

/** What a waiting delivery shows of the open circuit of its destination. */
export interface CircuitWaitRow {
  readonly circuitName: string;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  /** `webhook`, or the id of a subscription. */
  readonly destination: string;
  readonly probeAtMs: number | null;
  /** Of this delivery. */
  readonly lastAttempt: {
    readonly outcome: AttemptOutcome;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

/** Returns undefined if the circuit is not open. */
export async function readCircuitWait(pool: HotPool, deliveryNumber: number): Promise<CircuitWaitRow | undefined> {
  const { rows } = await pool.query<
    Omit<CircuitWaitRow, 'circuitName'> & Pick<FailingDestination, 'destinationId' | 'isKept'>
  >({ name: 'read-circuit-wait', text: waitSql, values: [deliveryNumber] });
  const [row] = rows;
  if (!row) return undefined;
  const { destinationId, isKept, ...wait } = row;
  return { ...wait, circuitName: circuitNameOf({ ...wait, destinationId, isKept, probeAtMs: wait.probeAtMs ?? 0 }) };
}

const waitSql = `
select dest.id as "destinationId", coalesce(s.public_id, dest.type) as destination, ${isKeptSql('dest')} as "isKept",
  c.public_id as "channelId", w.public_id as "workspaceId", o.public_id as "organizationId",
  ${msSql('dest.circuit_probe_at')} as "probeAtMs", (
    select json_build_object('outcome', a.outcome, 'status', a.status, 'error', a.error)
    from attempts a where a.delivery_id = d.id order by a.number desc limit 1) as "lastAttempt"
from deliveries d
join destinations dest on dest.id = d.destination_id and dest.circuit = 'open'
join channels c on c.id = dest.channel_id
join workspaces w on w.id = c.workspace_id
join organizations o on o.id = w.organization_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
where d.id = $1`;
