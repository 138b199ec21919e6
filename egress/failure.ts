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

/** X509_V_ERR_* names without a distinctive prefix. */
const certificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
]);

export function classifyFailure(thrown: Error): ClassifiedFailure {
  if (thrown instanceof EgressFailure) return { error: thrown.error, detail: thrown.message };
  const failure = thrown instanceof AggregateError ? firstError(thrown) : thrown;
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
  if (isParserError(code, failure)) return { error: 'bad_response', detail: code };
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
  if (certificateCodes.has(code) || /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|CRL_|OCSP_)/.test(code)) return true;
  return code === 'ECONNRESET' && message.includes('before secure TLS connection');
}
