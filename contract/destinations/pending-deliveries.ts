/** When a URL changes, pending deliveries go to the new URL, stay with the old one, or are cancelled. */
export const pendingChoices = ['follow', 'keep', 'cancel'] as const;
export type PendingChoice = (typeof pendingChoices)[number];

/** `gone`: it answered 410 twice. `failing`: it failed for days. `by_hand`: a person disabled it. */
export const disabledReasons = ['gone', 'failing', 'by_hand'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Lists show at most this many kept URLs of a channel, newest first. */
export const MAX_KEPT_SHOWN = 50;
