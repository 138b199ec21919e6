import type { CircuitReason } from '../../contract/destinations/circuit.ts';
import type { OverdueReason } from '../../contract/destinations/overdue.ts';
import type { DisabledReason } from '../../contract/destinations/pending-deliveries.ts';
import { isNotSettlingSql } from '../ledger/destinations/not-settling.ts';
import { overdueReasonSql, overdueSinceSql } from '../ledger/destinations/overdue.ts';

export type StateReason = DisabledReason | CircuitReason | OverdueReason;

/**
 * Adds `ranked` with the `state`, the `urgency`, the `reason` and the `since` of each destination `d`. A destination that
 * a user disabled comes last of those in trouble: the user knows.
 */
export const destinationStateSql = `
cross join lateral (select ${overdueSinceSql('d')} as since) overdue
cross join lateral (select case
    when not d.enabled then 'disabled'
    when ${isNotSettlingSql('d')} then 'not_settling'
    when d.circuit = 'open' then 'circuit_open'
    when overdue.since is not null then 'overdue'
    when d.failing_since is not null then 'failing'
    else 'ok'
  end as state) named
cross join lateral (select named.state,
  case named.state
    when 'disabled' then case when d.disabled_reason in ('gone', 'failing') then 0 else 5 end
    when 'not_settling' then 1 when 'circuit_open' then 2 when 'overdue' then 3 when 'failing' then 4 else 6
  end as urgency,
  case named.state
    when 'disabled' then coalesce(d.disabled_reason, 'by_hand') when 'circuit_open' then d.circuit_reason
    when 'overdue' then ${overdueReasonSql('d')}
  end as reason,
  case named.state
    when 'not_settling' then d.not_settling_since when 'circuit_open' then d.circuit_opened_at
    when 'overdue' then overdue.since when 'ok' then null else d.failing_since
  end as since) ranked`;
