/** Per channel. Each event is stored again for every listener. */
export const MAX_LISTENERS = 20;

/** A listener without reads is deleted after this many days and its pending deliveries end. This bounds what it stores. */
export const LISTENER_KEPT_DAYS = 7;

/** Maximum number of deliveries in a read or an acknowledgement. */
export const MAX_LISTENER_PAGE = 100;

/** Below the idle timeouts of common proxies, which are 30 seconds and more. */
export const MAX_LISTENER_WAIT_SECONDS = 25;

/** The limit for response bodies of all attempts. */
export const MAX_ACKNOWLEDGED_BODY_BYTES = 16 * 1024;

/** Bounds the attempts that a looping listener can record for a delivery. */
export const MAX_LISTENER_ATTEMPTS = 100;
