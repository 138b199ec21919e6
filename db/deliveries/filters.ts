import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';

export interface DeliveryKinds {
  readonly statuses?: readonly DeliveryStatus[] | undefined;
  readonly eventTypes?: readonly EventType[] | undefined;
}

export interface DeliveryFilters extends DeliveryKinds {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly before?: number | undefined;
}

/** Requires the alias `d`. Queries are planned with their values, so rare statuses use their partial index. */
export const ofKindsSql = `
    (cast(:statuses as text[]) is null or d.status = any (cast(:statuses as text[])))
    and (cast(:eventTypes as text[]) is null or d.event_type = any (cast(:eventTypes as text[])))`;

export const filteredSql = `
    ${ofKindsSql}
    and (cast(:since as timestamptz) is null or d.created_at >= cast(:since as timestamptz))
    and (cast(:until as timestamptz) is null or d.created_at < cast(:until as timestamptz))`;

export const beforeSql = '(cast(:before as bigint) is null or d.id < cast(:before as bigint))';

export function kindBindings({ statuses, eventTypes }: DeliveryKinds) {
  return { statuses: statuses ? [...statuses] : null, eventTypes: eventTypes ? [...eventTypes] : null };
}

export function filterBindings({ since, until, before, ...kinds }: DeliveryFilters) {
  return { ...kindBindings(kinds), since: since ?? null, until: until ?? null, before: before ?? null };
}
