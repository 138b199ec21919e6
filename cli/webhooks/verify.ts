import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  deliveryHeaders,
  type HmacSha256,
  signatureHeader,
  webhookSecretBase64,
} from '../../contract/deliveries/signature.ts';

export interface ToVerify {
  readonly body: Uint8Array;
  readonly secret: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
  /** How far `webhook-timestamp` may be from now; undefined looks at no clock. */
  readonly toleranceSeconds: number | undefined;
}

type Scheme = typeof signatureHeader | 'webhook-signature';
export interface Verdict {
  readonly scheme: Scheme;
  readonly isValid: boolean;
  readonly reason: string | null;
}

const hmac: HmacSha256<Uint8Array> = (key, chunks, encoding) => {
  const mac = createHmac('sha256', key);
  for (const chunk of chunks) mac.update(chunk);
  return mac.digest(encoding);
};

/** Whether each of the signatures that came is right, and why not. */
export function verify(input: ToVerify): Verdict[] {
  const schemes = [signatureHeader, 'webhook-signature'] as const;
  return schemes.filter((scheme) => input.headers[scheme] !== undefined).map((scheme) => verdictOn(scheme, input));
}

function verdictOn(scheme: Scheme, input: ToVerify): Verdict {
  const reason =
    scheme === 'webhook-signature'
      ? (timestampFault(input) ?? signatureFault(scheme, input))
      : signatureFault(scheme, input);
  return { scheme, isValid: reason === null, reason };
}

function timestampFault({ headers, nowMs, toleranceSeconds }: ToVerify): string | null {
  if (!headers['webhook-id']) return 'webhook-id is missing';
  const text = headers['webhook-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(text)) return 'webhook-timestamp is missing, or no number';
  const awaySeconds = Math.abs(nowMs / 1000 - Number(text));
  if (toleranceSeconds === undefined || awaySeconds <= toleranceSeconds) return null;
  return `webhook-timestamp is ${Math.round(awaySeconds)} s away from now`;
}

function signatureFault(scheme: Scheme, input: ToVerify): string | null {
  const { body } = input;
  if (matches(scheme, input, body)) return null;
  const withoutBreak = body.at(-1) === 0x0a ? body.subarray(0, -1) : undefined;
  if (withoutBreak && matches(scheme, input, withoutBreak)) {
    return 'it fits the body without the line break at its end, which was not sent';
  }
  return 'no signature fits this body and this secret';
}

/** During a rotation there are several signatures; one that fits is enough. */
function matches(scheme: Scheme, { secret, headers }: ToVerify, body: Uint8Array): boolean {
  const expected = deliveryHeaders(
    {
      deliveryId: headers['webhook-id'] ?? '',
      ...{ eventId: '', eventType: '', attempt: 1, body },
      atMs: Number(headers['webhook-timestamp'] ?? 0) * 1000,
      secrets: [{ shown: Buffer.from(secret), decoded: Buffer.from(webhookSecretBase64(secret), 'base64') }],
    },
    hmac,
  )[scheme];
  const separator = scheme === signatureHeader ? ',' : /\s/;
  const candidates = (headers[scheme] ?? '').split(separator).map((candidate) => candidate.trim());
  return candidates.some((candidate) => isEqual(candidate, expected ?? ''));
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
