/**
 * `ok`: nothing failed since the last success. `failing`: the last attempts failed. `circuit_open`: deliveries wait until
 * a probe succeeds. `disabled`: events are skipped. `not_settling`: the service cannot record what the receiver answered.
 */
export const deliveryStates = ['ok', 'failing', 'circuit_open', 'disabled', 'not_settling'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
