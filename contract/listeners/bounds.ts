/** A channel has at most this many: each event is stored once more for every one that takes it. */
export const MAX_LISTENERS = 20;

/**
 * A listener that nobody reads is deleted after so many days, and what nobody has taken by then has ended: somebody who
 * is away for a week starts afresh, and what piles up meanwhile is bounded.
 */
export const LISTENER_KEPT_DAYS = 7;

/** Deliveries that one read answers with, and that one acknowledgement may be about. */
export const MAX_LISTENER_PAGE = 100;

/** Below the idle timeouts of common proxies, which are 30 seconds and more. */
export const MAX_LISTENER_WAIT_SECONDS = 25;

/** As much of an answer as is kept of any attempt. */
export const MAX_ACKNOWLEDGED_BODY_BYTES = 16 * 1024;

/** A delivery that has failed so often is not left to be read again: a reader that loops does not fill the log. */
export const MAX_LISTENER_ATTEMPTS = 100;
