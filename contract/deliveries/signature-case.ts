/** A check of a signature that fails at a receiver, and what explains it. */
export interface SignatureCase {
  /** What the receiver uses. */
  readonly secret: string;
  /** What the receiver computes its signature over. */
  readonly body: string;
  /** What the receiver got, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Optional. What the receiver's code computed. */
  readonly computed?: string;
  readonly nowMs: number;
  /** Undefined skips the check of the time. */
  readonly toleranceSeconds: number | undefined;
  /** Optional. The record of the attempt. Without it, the headers are trusted. */
  readonly sent?: SentSignature;
}

export interface SentSignature {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of the UTF-8 bytes of a text. A base64 key is decoded first. Returns null if it isn't base64, or is empty. */
export type TextHmac = (
  key: HmacKey,
  text: string,
) => Promise<{ readonly hex: string; readonly base64: string } | null>;
export type HmacKey = { readonly text: string } | { readonly base64: string };

export const signatureCauses = [
  'secret_matches',
  'secret_padded',
  'secret_without_prefix',
  'secret_wrong',
  'body_matches',
  'body_byte_order_mark',
  'body_line_breaks',
  'body_end_changed',
  'body_rewritten',
  'body_wrong',
  'secret_or_body_wrong',
  'header_missing',
  'header_swapped',
  'header_of_other_attempt',
  'timestamp_old',
  'computed_matches',
  'computed_wrong_key',
  'computed_wrong_time',
  'computed_wrong_body',
  'computed_unknown',
] as const;
export type SignatureCause = (typeof signatureCauses)[number];

export interface SignatureFinding {
  readonly cause: SignatureCause;
  readonly isFine: boolean;
  readonly text: string;
}

export const PREFIX = 'whsec_';
/** As the guides write it. */
export const service = 'X-Service-Signature-256';

/** What `webhook-signature` signs. */
export function standardText(headers: Readonly<Record<string, string>>, body: string): string {
  return `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`;
}

export const fine = (cause: SignatureCause, text: string): SignatureFinding => ({ cause, isFine: true, text });
export const wrong = (cause: SignatureCause, text: string): SignatureFinding => ({ cause, isFine: false, text });
