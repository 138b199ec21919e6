import {
  fine,
  type HmacKey,
  PREFIX,
  service,
  type SignatureCase,
  type SignatureFinding,
  standardText,
  type TextHmac,
  wrong,
} from './signature-case.ts';

export interface SignedParts {
  /** With its prefix. */
  readonly wholeSecret: string;
  readonly signedBody: string;
}

export interface Computed {
  readonly given: SignatureCase;
  readonly signed: SignedParts;
  readonly computed: string;
}

/** Finds which mistake makes the signature that the receiver computes. */
export async function computedFinding(made: Computed, hmac: TextHmac): Promise<SignatureFinding> {
  const value = made.computed.replace(/^(sha256=|v1,)/i, '');
  for (const { key, text, finding } of candidates(made)) {
    const one = await hmac(key, text);
    if (one && (one.hex === value.toLowerCase() || one.base64 === value)) return finding;
  }
  return wrong(
    'computed_unknown',
    'The signature that you compute is unusual. Check the algorithm (HMAC-SHA256) and the encoding.',
  );
}

interface Candidate {
  readonly key: HmacKey;
  readonly text: string;
  readonly finding: SignatureFinding;
}

function candidates({ given, signed }: Computed): readonly Candidate[] {
  const { wholeSecret, signedBody } = signed;
  const headers = given.sent?.headers ?? given.headers;
  const whole = { text: wholeSecret };
  const decoded = { base64: wholeSecret.slice(PREFIX.length) };
  const undecoded = { text: wholeSecret.slice(PREFIX.length) };
  const standard = standardText(headers, signedBody);
  const millis = standardText({ ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}000` }, signedBody);
  const right = (name: string) =>
    fine('computed_matches', `The signature that you compute is the right value of ${name}.`);
  const key = (text: string) => wrong('computed_wrong_key', text);
  const otherBody = wrong('computed_wrong_body', 'You compute the signature over another body than was signed.');
  const prefixless = key(
    `You use the text after ${PREFIX} as it is. Use the whole text, or decode it for webhook-signature.`,
  );
  return [
    { key: whole, text: signedBody, finding: right(service) },
    { key: decoded, text: standard, finding: right('webhook-signature') },
    {
      key: decoded,
      text: signedBody,
      finding: key(`You use the decoded secret for ${service}. Use the whole text, with ${PREFIX}.`),
    },
    {
      key: whole,
      text: standard,
      finding: key(`You use the whole secret for webhook-signature. Decode the base64 after ${PREFIX}.`),
    },
    { key: undecoded, text: signedBody, finding: prefixless },
    { key: undecoded, text: standard, finding: prefixless },
    {
      key: decoded,
      text: millis,
      finding: wrong('computed_wrong_time', 'You sign milliseconds: webhook-timestamp is in seconds.'),
    },
    { key: whole, text: given.body, finding: otherBody },
    { key: decoded, text: standardText(headers, given.body), finding: otherBody },
  ];
}
