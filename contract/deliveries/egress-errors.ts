/** Why a request was not made at all: the fault of the URL, so an attempt is `blocked`. */
export const blockedErrors = ['url_not_allowed', 'address_not_allowed'] as const;
export type BlockedError = (typeof blockedErrors)[number];

/** Why a request got no answer. */
export const noResponseErrors = [
  'dns_not_found',
  'dns_failed',
  'dns_timeout',
  /** Its own name server fails, or is not there: for many minutes, in which other names were resolved. */
  'dns_name_failed',
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
  /** This machine had no socket, port or memory left, or no network at all. */
  'sender_failed',
  'failed',
] as const;
export type NoResponseError = (typeof noResponseErrors)[number];

/**
 * Faults on our side: the DNS server that we ask does not answer, or this machine can't open a connection. They say
 * nothing about a destination, so no delivery is charged with them. A name that does not exist is the destination's, and
 * so is one that goes on failing while others are resolved.
 */
const ownFaults: readonly NoResponseError[] = ['dns_failed', 'dns_timeout', 'sender_failed', 'aborted'];

export function isOwnFault(error: string): boolean {
  return ownFaults.some((fault) => fault === error);
}

/**
 * All that a customer is told about a request that failed. A closed set, since the text of a system's error would let
 * anyone map a network by the messages it gives.
 */
export const egressErrors = [...blockedErrors, ...noResponseErrors] as const;
export type EgressError = (typeof egressErrors)[number];
