/** Limited, because each listener stores every event again. */
export const MAX_LISTENERS = 20;

export const LISTENER_KEPT_DAYS = 7;

export const MAX_LISTENER_PAGE = 100;

/** Common proxies have idle timeouts from 30 s. */
export const MAX_LISTENER_WAIT_SECONDS = 25;

export const MAX_ACKNOWLEDGED_BODY_BYTES = 16 * 1024;

/** Bounds what a looping listener records. */
export const MAX_LISTENER_ATTEMPTS = 100;
