/** Why a request was not made at all: the fault of the URL, so an attempt is `blocked`. */
export const blockedErrors = ['url_not_allowed', 'address_not_allowed'] as const;
export type BlockedError = (typeof blockedErrors)[number];

/** Why a request got no answer. */
export const noResponseErrors = [
  'dns_not_found',
  'dns_failed',
  'dns_timeout',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'tls_failed',
  /** The deadline over everything, from look-up to the last byte of the body. */
  'timeout',
  'reset',
  'bad_response',
  /** The one who asked for the request gave it up. */
  'aborted',
  'failed',
] as const;
export type NoResponseError = (typeof noResponseErrors)[number];

/**
 * All that a customer is told about a request that failed. A closed set, since the text of a system's error would let
 * anyone map a network by the messages it gives.
 */
export const egressErrors = [...blockedErrors, ...noResponseErrors] as const;
export type EgressError = (typeof egressErrors)[number];
