/**
 * `ok`: nothing failed since the last success. `failing`: the last attempts failed. `circuit_open`: deliveries wait until
 * a probe succeeds. `overdue`: deliveries wait although the circuit is closed. `disabled`: events are skipped.
 * `not_settling`: the service cannot record what the receiver answered.
 */
export const deliveryStates = ['ok', 'failing', 'circuit_open', 'overdue', 'disabled', 'not_settling'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
