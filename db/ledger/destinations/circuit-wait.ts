import type { AttemptOutcome } from '../../../contract/deliveries/status.ts';
import { circuitNameOf } from '../../../contract/destinations/circuit.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { isKeptSql, presentIdSql } from './kept-urls.ts';

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
  const { rows } = await pool.query<WaitRow>({ name: 'read-circuit-wait', text: waitSql, values: [deliveryNumber] });
  const [row] = rows;
  if (!row) return undefined;
  const { id: destinationId, destination, channel_id: channelId, workspace_id: workspaceId, is_kept: isKept } = row;
  const probeAtMs = row.circuit_probe_at?.getTime() ?? null;
  const failing = { destinationId, destination, channelId, workspaceId, isKept, probeAtMs: probeAtMs ?? 0 };
  const { outcome, status, error } = row;
  return {
    circuitName: circuitNameOf(failing),
    channelId,
    workspaceId,
    destination,
    probeAtMs,
    organizationId: row.organization_id,
    lastAttempt: outcome === null ? null : { outcome, status, error },
  };
}

interface WaitRow {
  readonly id: number;
  readonly destination: string;
  readonly is_kept: boolean;
  readonly channel_id: string;
  readonly workspace_id: string;
  readonly organization_id: string;
  readonly circuit_probe_at: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly status: number | null;
  readonly error: string | null;
}

const waitSql = `
select dest.id, coalesce(s.public_id, dest.type) as destination, ${isKeptSql('dest')} as is_kept,
  c.public_id as channel_id, w.public_id as workspace_id, o.public_id as organization_id,
  dest.circuit_probe_at, last.outcome, last.status, last.error
from deliveries d
join destinations dest on dest.id = d.destination_id and dest.circuit = 'open'
join channels c on c.id = dest.channel_id
join workspaces w on w.id = c.workspace_id
join organizations o on o.id = w.organization_id
left join subscriptions s on s.destination_id = ${presentIdSql('dest')}
left join lateral (
  select a.outcome, a.status, a.error from attempts a where a.delivery_id = d.id order by a.number desc limit 1
) last on true
where d.id = $1`;
