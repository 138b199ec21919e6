/** The URL is not allowed, so no request was made and the attempt is `blocked`. */
export const blockedErrors = ['url_not_allowed', 'address_not_allowed'] as const;
export type BlockedError = (typeof blockedErrors)[number];

export const noResponseErrors = [
  'dns_not_found',
  'dns_failed',
  'dns_timeout',
  /** Look-ups of this name failed for many minutes while those of other names succeeded. */
  'dns_name_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'tls_failed',
  /** The deadline from the look-up to the last byte of the body. */
  'timeout',
  'reset',
  'bad_response',
  /** The caller of the egress client cancelled the request. */
  'aborted',
  /** This machine has no free socket, port or memory, or no network. */
  'sender_failed',
  'failed',
] as const;
export type NoResponseError = (typeof noResponseErrors)[number];

/**
 * Faults of this installation, such as an unavailable DNS resolver. They do not count as failed attempts. A name that does
 * not exist, or that keeps failing while others resolve, is the destination's fault.
 */
const ownFaults: readonly NoResponseError[] = ['dns_failed', 'dns_timeout', 'sender_failed', 'aborted'];

export function isOwnFault(error: string): boolean {
  return ownFaults.some((fault) => fault === error);
}

/** A closed set is all that customers see, because texts of system errors would reveal the internal network. */
export const egressErrors = [...blockedErrors, ...noResponseErrors] as const;
export type EgressError = (typeof egressErrors)[number];
