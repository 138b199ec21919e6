import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  deliveryHeaders,
  type HmacSha256,
  signatureHeader,
  webhookSecretBase64,
} from '../../contract/deliveries/signature.ts';

export interface VerificationInput {
  readonly body: Uint8Array;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
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

export function verify(input: VerificationInput): Verdict[] {
  const schemes = [signatureHeader, 'webhook-signature'] as const;
  return schemes.filter((scheme) => input.headers[scheme] !== undefined).map((scheme) => verdictOn(scheme, input));
}

function verdictOn(scheme: Scheme, input: VerificationInput): Verdict {
  const reason =
    scheme === 'webhook-signature'
      ? (timestampFault(input) ?? signatureFault(scheme, input))
      : signatureFault(scheme, input);
  return { scheme, isValid: reason === null, reason };
}

function timestampFault({ headers, nowMs, toleranceSeconds }: VerificationInput): string | null {
  if (!headers['webhook-id']) return 'webhook-id is missing';
  const text = headers['webhook-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(text)) return 'webhook-timestamp is missing or not a number';
  const differenceSeconds = Math.abs(nowMs / 1000 - Number(text));
  if (toleranceSeconds === undefined || differenceSeconds <= toleranceSeconds) return null;
  return `webhook-timestamp differs from the current time by ${Math.round(differenceSeconds)} s`;
}

function signatureFault(scheme: Scheme, input: VerificationInput): string | null {
  const { body } = input;
  if (matches(scheme, input, body)) return null;
  const withoutBreak = body.at(-1) === 0x0a ? body.subarray(0, -1) : undefined;
  if (withoutBreak && matches(scheme, input, withoutBreak)) {
    return 'the signature matches the body without the line break at its end, which was not sent';
  }
  return 'no signature matches this body and secret';
}

/** A rotation sends several signatures; one match is enough. */
function matches(scheme: Scheme, { secret, headers }: VerificationInput, body: Uint8Array): boolean {
  const expected = deliveryHeaders(
    {
      deliveryId: headers['webhook-id'] ?? '',
      eventId: '',
      eventType: '',
      attempt: 1,
      body,
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
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}
