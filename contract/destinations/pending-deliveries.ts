/** When a URL changes, pending deliveries go to the new URL, to the old one, or nowhere. */
export const pendingChoices = ['follow', 'keep', 'cancel'] as const;
export type PendingChoice = (typeof pendingChoices)[number];

/**
 * `gone`: two consecutive 410 responses to one delivery. `failing`: no success for FAILING_DISABLE_HOURS. `by_hand`:
 * disabled by a user.
 */
export const disabledReasons = ['gone', 'failing', 'by_hand'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const MAX_KEPT_SHOWN = 50;
