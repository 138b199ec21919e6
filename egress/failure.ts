import type { EgressError } from '../contract/deliveries/egress-errors.ts';

export class EgressFailure extends Error {
  readonly error: EgressError;

  constructor(error: EgressError, detail: string) {
    super(detail);
    this.name = 'EgressFailure';
    this.error = error;
  }
}

export interface ClassifiedFailure {
  readonly error: EgressError;
  /** Only for the operator's log. */
  readonly detail: string;
}

const errorsByCode: Readonly<Record<string, EgressError>> = {
  ECONNREFUSED: 'connect_refused',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  EHOSTUNREACH: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  EACCES: 'connect_failed',
  EMFILE: 'sender_failed',
  ENFILE: 'sender_failed',
  ENOBUFS: 'sender_failed',
  ENOMEM: 'sender_failed',
  EADDRNOTAVAIL: 'sender_failed',
  ENETDOWN: 'sender_failed',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'bad_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_response',
};

/** X509_V_ERR_* names, and those of Node's own check of the name. */
const certificateErrors: Readonly<Record<string, EgressError>> = {
  CERT_HAS_EXPIRED: 'tls_failed_expired',
  CERT_NOT_YET_VALID: 'tls_failed_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_failed_name',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'tls_failed_name',
  HOSTNAME_MISMATCH: 'tls_failed_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_failed_chain',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_failed_chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_failed_chain',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_failed_chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_failed_chain',
  CERT_CHAIN_TOO_LONG: 'tls_failed_chain',
  CERT_UNTRUSTED: 'tls_failed_chain',
  INVALID_CA: 'tls_failed_chain',
  PATH_LENGTH_EXCEEDED: 'tls_failed_chain',
  INVALID_PURPOSE: 'tls_failed',
};

export function classifyFailure(thrown: Error): ClassifiedFailure {
  if (thrown instanceof EgressFailure) return { error: thrown.error, detail: thrown.message };
  const failure = thrown instanceof AggregateError ? firstError(thrown) : thrown;
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
  if (isParserError(code, failure)) return { error: 'bad_response', detail: code };
  const certificateError = certificateErrors[code];
  if (certificateError !== undefined) return { error: certificateError, detail: code };
  if (isTlsFailure(code, failure.message)) return { error: 'tls_failed', detail: code };
  return { error: errorsByCode[code] ?? 'failed', detail: code };
}

function isParserError(code: string, { name, message }: Error): boolean {
  return name === 'HTTPParserError' || (code === 'UND_ERR_SOCKET' && /^bad (upgrade|response)/.test(message));
}

function firstError(aggregate: AggregateError): Error {
  const [first]: unknown[] = aggregate.errors;
  return first instanceof Error ? first : aggregate;
}

function isTlsFailure(code: string, message: string): boolean {
  if (/^(ERR_SSL|ERR_TLS|EPROTO|CERT_|CRL_|OCSP_)/.test(code)) return true;
  return code === 'ECONNRESET' && message.includes('before secure TLS connection');
}
