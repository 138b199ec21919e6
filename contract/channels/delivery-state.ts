/**
 * `ok`: nothing failed since the last success. `failing`: the last attempts failed. `circuit_open`: deliveries wait until
 * a probe succeeds. `disabled`: events are skipped.
 */
export const deliveryStates = ['ok', 'failing', 'circuit_open', 'disabled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
