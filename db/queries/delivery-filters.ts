import type { DeliveryStatus } from '../../contract/delivery-status.ts';
import type { EventType } from '../../contract/event-types.ts';

/** What lists and searches of deliveries have in common. */
export interface DeliveryFilters {
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: EventType | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Number of the last delivery on the page before. */
  readonly before?: number | undefined;
}

/** Where `d` stands for a delivery. */
export const filteredSql = `
    (cast(:status as text) is null or d.status = cast(:status as text))
    and (cast(:eventType as text) is null or d.event_type = cast(:eventType as text))
    and (cast(:since as timestamptz) is null or d.created_at >= cast(:since as timestamptz))
    and (cast(:until as timestamptz) is null or d.created_at < cast(:until as timestamptz))`;

/** Apart from the filters, because it bounds how far a search looks. */
export const beforeSql = '(cast(:before as bigint) is null or d.id < cast(:before as bigint))';

export function filterBindings({ status, eventType, since, until, before }: DeliveryFilters) {
  return {
    status: status ?? null,
    eventType: eventType ?? null,
    since: since ?? null,
    until: until ?? null,
    before: before ?? null,
  };
}
