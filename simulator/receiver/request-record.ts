import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isServiceSignatureValid, isStandardSignatureValid } from './check-signature.ts';

/** One request as it came in. */
export interface RequestRecord {
  /** Counts up from 1 for each webhook, and goes on counting when requests are deleted. */
  readonly number: number;
  readonly receivedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyLength: number;
  readonly sha256: string;
  /** A verification probe: a GET, or a POST that says so or is empty. */
  readonly isProbe: boolean;
  /** The kept part of the body; undefined when bodies aren't kept, or no longer. */
  body: Buffer | undefined;
  /** The secret's verdict at arrival; null where no secret was known yet, and for probes, which are unsigned. */
  readonly verdict: SignatureVerdict | null;
  answeredStatus: number | null;
}

export interface SignatureVerdict {
  readonly signatureValid: boolean;
  readonly standardSignatureValid: boolean;
}

/** A request as tests and people see it. */
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

interface Judged {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly receivedAtMs: number;
}

/** Judges both signatures against the moment of arrival. */
export function judge({ headers, body, receivedAtMs }: Judged, secret: string): SignatureVerdict {
  return {
    signatureValid: isServiceSignatureValid({ headers, body, secret }),
    standardSignatureValid: isStandardSignatureValid({ headers, body, secret, atMs: receivedAtMs }),
  };
}

/** Shows a record. A secret that became known only after the arrival judges now, as long as the whole body is there. */
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
  return judge({ headers, body, receivedAtMs }, secret);
}
