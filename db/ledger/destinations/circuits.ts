import { circuitNameOf, type CircuitReason, type FailingDestination } from '../../../contract/destinations/circuit.ts';
import type { DestinationOptions } from '../../../contract/destinations/options.ts';
import type { SkipReason } from '../../../contract/deliveries/status.ts';
import { voidAsSql } from './delivery-sql.ts';
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
  const { rows } = await pool.query<CircuitRow>({
    name: 'read-circuit',
    text: `select dest.circuit, dest.circuit_reason, dest.circuit_probe_at, dest.options, ${voidAsSql} as void_as, w.organization_id
           from destinations dest join channels c on c.id = dest.channel_id join workspaces w on w.id = c.workspace_id where dest.id = $1`,
    values: [destinationId],
  });
  const [row] = rows;
  return (
    row && {
      circuit: row.circuit,
      reason: row.circuit_reason,
      probeAtMs: row.circuit_probe_at?.getTime() ?? null,
      options: row.options,
      voidAs: row.void_as,
      organizationId: Number(row.organization_id),
    }
  );
}

interface CircuitRow {
  circuit: 'closed' | 'open';
  circuit_reason: CircuitReason | null;
  circuit_probe_at: Date | null;
  options: DestinationOptions | null;
  void_as: 'cancelled' | SkipReason | null;
  organization_id: string;
}

export async function findFailingDestinations(pool: HotPool, ids: readonly number[]): Promise<FailingDestination[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<FailingRow>(`${failingSql} where dest.id = any ($1::bigint[])`, [ids]);
  return rows.map(failingFromRow);
}

/** Returns open circuits whose workflow was lost: their probe is overdue. At most `limit` of each shard. */
export async function findOverdueCircuits(
  pool: HotPool,
  { shards, overdueMs, limit }: { shards: readonly number[]; overdueMs: number; limit: number },
): Promise<FailingDestination[]> {
  const { rows } = await pool.query<FailingRow>({
    name: 'overdue-circuits',
    text: `select overdue.* from unnest($1::int[]) as swept (shard) cross join lateral (
             ${failingSql} where dest.circuit = 'open' and dest.shard = swept.shard
               and dest.circuit_probe_at < now() - $2 * interval '1 millisecond'
             order by dest.circuit_probe_at limit $3
           ) overdue`,
    values: [shards, overdueMs, limit],
  });
  return rows.map(failingFromRow);
}

/** Filters in memory, because few circuits are open. */
export async function findOpenCircuitsNamed(pool: HotPool, names: readonly string[]): Promise<FailingDestination[]> {
  if (names.length === 0) return [];
  const { rows } = await pool.query<FailingRow>({
    name: 'open-circuits-named',
    text: `${failingSql} where dest.circuit = 'open'`,
    values: [],
  });
  return rows.map(failingFromRow).filter((destination) => names.includes(circuitNameOf(destination)));
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

export interface FailingRow {
  id: number;
  channel_id: string;
  workspace_id: string;
  destination: string;
  is_kept: boolean;
  probe_at: Date;
}

export const failingSql = `
select dest.id, c.public_id as channel_id, w.public_id as workspace_id, coalesce(s.public_id, dest.type) as destination,
  ${isKeptSql('dest')} as is_kept, coalesce(dest.circuit_probe_at, now()) as probe_at
from destinations dest
join channels c on c.id = dest.channel_id
join workspaces w on w.id = c.workspace_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}`;

export function failingFromRow(row: FailingRow): FailingDestination {
  return {
    destinationId: row.id,
    channelId: row.channel_id,
    workspaceId: row.workspace_id,
    destination: row.destination,
    isKept: row.is_kept,
    probeAtMs: row.probe_at.getTime(),
  };
}
