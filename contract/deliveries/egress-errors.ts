/** No request was made. */
export const blockedErrors = ['url_not_allowed', 'address_not_allowed'] as const;
export type BlockedError = (typeof blockedErrors)[number];

export const noResponseErrors = [
  'dns_not_found',
  'dns_failed',
  'dns_timeout',
  /** The name failed for minutes while others resolved. */
  'dns_name_failed',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  /** The handshake, or a fault of the certificate without a code of its own. */
  'tls_failed',
  /** The certificate has expired or is not valid yet. */
  'tls_failed_expired',
  /** It is for another name. */
  'tls_failed_name',
  /** It is self-signed, or comes without its intermediates, or from an unknown root. */
  'tls_failed_chain',
  /** From the lookup to the end of the body. */
  'timeout',
  'reset',
  /** No HTTP, a broken head, or one of more than 64 KiB. */
  'bad_response',
  'aborted',
  /** No free socket, port or memory, or no network. */
  'sender_failed',
  'failed',
] as const;
export type NoResponseError = (typeof noResponseErrors)[number];

const ownFaults: readonly NoResponseError[] = ['dns_failed', 'dns_timeout', 'sender_failed', 'aborted'];

export function isInstallationFault(error: string): boolean {
  return ownFaults.some((fault) => fault === error);
}

/** Customers see only these codes, because system errors would reveal the network. */
export const egressErrors = [...blockedErrors, ...noResponseErrors] as const;
export type EgressError = (typeof egressErrors)[number];
