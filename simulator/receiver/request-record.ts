import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isServiceSignatureValid, isStandardSignatureValid } from './check-signature.ts';

export interface RequestRecord {
  /** Counts from 1 for each webhook and continues after `clear`. */
  readonly number: number;
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyLength: number;
  readonly sha256: string;
  readonly isProbe: boolean;
  /** Undefined if the body was dropped or not kept. */
  body: Buffer | undefined;
  /** Null for probes, and before the secret is known. */
  readonly verdict: SignatureVerdict | null;
  answeredStatus: number | null;
}

export interface SignatureVerdict {
  readonly signatureValid: boolean;
  readonly standardSignatureValid: boolean;
}

export interface ReceivedRequest {
  readonly number: number;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBase64: string | null;
  readonly bodyLength: number;
  readonly sha256: string;
  readonly isProbe: boolean;
  readonly answeredStatus: number | null;
  readonly signatureValid: boolean | null;
  readonly standardSignatureValid: boolean | null;
}

export function sha256Hex(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

interface CheckedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly receivedAtMs: number;
}

export function checkSignatures({ headers, body, receivedAtMs }: CheckedRequest, secret: string): SignatureVerdict {
  return {
    signatureValid: isServiceSignatureValid({ headers, body, secret }),
    standardSignatureValid: isStandardSignatureValid({ headers, body, secret, atMs: receivedAtMs }),
  };
}

/** A secret set after the arrival applies if the whole body was kept. */
export function presentRequest(record: RequestRecord, secret: string | undefined): ReceivedRequest {
  const verdict = record.verdict ?? lateVerdict(record, secret);
  return {
    number: record.number,
    receivedAt: new Date(record.receivedAtMs).toISOString(),
    method: record.method,
    path: record.path,
    headers: record.headers,
    bodyBase64: record.body?.toString('base64') ?? null,
    bodyLength: record.bodyLength,
    sha256: record.sha256,
    isProbe: record.isProbe,
    answeredStatus: record.answeredStatus,
    signatureValid: verdict?.signatureValid ?? null,
    standardSignatureValid: verdict?.standardSignatureValid ?? null,
  };
}

function lateVerdict(record: RequestRecord, secret: string | undefined): SignatureVerdict | null {
  const { headers, body, receivedAtMs } = record;
  if (secret === undefined || record.isProbe || body?.length !== record.bodyLength) return null;
  return checkSignatures({ headers, body, receivedAtMs }, secret);
}
