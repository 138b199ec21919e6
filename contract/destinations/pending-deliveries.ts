/** When a URL changes, pending deliveries go to the new URL, to the old one, or nowhere. */
export const pendingChoices = ['follow', 'keep', 'cancel'] as const;
export type PendingChoice = (typeof pendingChoices)[number];

/** `gone`: two 410 responses. `failing`: days without success. `by_hand`: by a person. */
export const disabledReasons = ['gone', 'failing', 'by_hand'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const MAX_KEPT_SHOWN = 50;
