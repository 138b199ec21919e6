/**
 * Why deliveries wait although the circuit is closed. `behind`: the receiver answers, but more slowly than events arrive.
 * `not_sent`: the service has sent the destination nothing for two minutes.
 */
export const overdueReasons = ['behind', 'not_sent'] as const;
export type OverdueReason = (typeof overdueReasons)[number];
