import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';

/** Which deliveries are meant: of one of these states, and of one of these types; of all where left out. */
export interface DeliveryKinds {
  readonly statuses?: readonly DeliveryStatus[] | undefined;
  readonly eventTypes?: readonly EventType[] | undefined;
}

/** What lists and searches of deliveries have in common. */
export interface DeliveryFilters extends DeliveryKinds {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Number of the last delivery on the page before. */
  readonly before?: number | undefined;
}

/**
 * Where `d` stands for a delivery. Every query is planned with its values, so that what is not asked for falls away, and
 * states that few deliveries are in are looked up in an index of their own.
 */
export const ofKindsSql = `
    (cast(:statuses as text[]) is null or d.status = any (cast(:statuses as text[])))
    and (cast(:eventTypes as text[]) is null or d.event_type = any (cast(:eventTypes as text[])))`;

export const filteredSql = `
    ${ofKindsSql}
    and (cast(:since as timestamptz) is null or d.created_at >= cast(:since as timestamptz))
    and (cast(:until as timestamptz) is null or d.created_at < cast(:until as timestamptz))`;

/** Apart from the filters, because it bounds how far a search looks. */
export const beforeSql = '(cast(:before as bigint) is null or d.id < cast(:before as bigint))';

export function kindBindings({ statuses, eventTypes }: DeliveryKinds) {
  return { statuses: statuses ? [...statuses] : null, eventTypes: eventTypes ? [...eventTypes] : null };
}

export function filterBindings({ since, until, before, ...kinds }: DeliveryFilters) {
  return { ...kindBindings(kinds), since: since ?? null, until: until ?? null, before: before ?? null };
}
