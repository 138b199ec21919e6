/**
 * What becomes of the deliveries that wait for a destination when its URL is edited: they follow the new URL, are kept
 * for the old one, or end as cancelled.
 */
export const pendingChoices = ['follow', 'keep', 'cancel'] as const;
export type PendingChoice = (typeof pendingChoices)[number];

/** Why a destination is disabled: it said 410 twice, it failed for days, or somebody disabled it. */
export const disabledReasons = ['gone', 'failing', 'by_hand'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Old URLs of a channel's destinations, kept for what waited, that are shown beside them: the last ones. */
export const MAX_KEPT_SHOWN = 50;
