import { computedFinding, type SignedParts } from './explain-computed.ts';
import { isJsonObject } from '../is-json-object.ts';
import { parseSignatures, signatureHeader } from './signature.ts';
import {
  fine,
  PREFIX,
  service,
  type SignatureCase,
  type SignatureFinding,
  standardText,
  type TextHmac,
  wrong,
} from './signature-case.ts';

/**
 * Explains why a receiver's check of a signature fails. Looks for the usual mistake that turns what the receiver has into
 * what was signed: another form of the secret, or a body that was changed after it arrived. Pure, so that the browser and
 * the command line explain alike and send nothing.
 */
export async function explainSignature(given: SignatureCase, hmac: TextHmac): Promise<readonly SignatureFinding[]> {
  const headers = headerFindings(given);
  const truth = parseSignatures(given.sent?.headers ?? given.headers);
  if (truth.service.length + truth.standard.length === 0) return headers;
  const signed = await findSigned(given, hmac);
  const computed = (given.computed ?? '').trim();
  return [
    ...headers,
    ...(signed ? [signed.secret, signed.body] : [unknownFinding(given)]),
    ...(signed && computed !== '' ? [await computedFinding({ given, signed, computed }, hmac)] : []),
  ];
}

function headerFindings({ headers, sent, nowMs, toleranceSeconds }: SignatureCase): SignatureFinding[] {
  const own = parseSignatures(headers);
  const findings: SignatureFinding[] = [];
  if (own.service.length + own.standard.length === 0) findings.push(wrong('header_missing', missingText(headers)));
  if (headers[signatureHeader]?.startsWith('v1,') || headers['webhook-signature']?.startsWith('sha256='))
    findings.push(wrong('header_swapped', `The signature headers are swapped: sha256=… belongs to ${service}.`));
  const isOther = (name: string): boolean => headers[name] !== undefined && headers[name] !== sent?.headers[name];
  if (sent && ['webhook-id', 'webhook-timestamp', 'webhook-signature', signatureHeader].some(isOther))
    findings.push(
      wrong(
        'header_of_other_attempt',
        'The headers are not those of this attempt. Compare webhook-id and x-service-attempt.',
      ),
    );
  const ageSeconds = Math.round(nowMs / 1000 - Number(headers['webhook-timestamp'] ?? Number.NaN));
  if (toleranceSeconds !== undefined && Math.abs(ageSeconds) > toleranceSeconds)
    findings.push(wrong('timestamp_old', timeText(ageSeconds, toleranceSeconds)));
  return findings;
}

function missingText(headers: Readonly<Record<string, string>>): string {
  const others = Object.keys(headers).filter((name) => /signature/.test(name));
  const seen = others.length > 0 ? ` You read ${others.join(', ')}.` : '';
  return `Neither ${service} nor webhook-signature is among the headers.${seen} Check the name, and whether a proxy removes it.`;
}

function timeText(ageSeconds: number, toleranceSeconds: number): string {
  const now = ageSeconds > 0 ? `${ageSeconds} s old` : `${-ageSeconds} s in the future`;
  return (
    `webhook-timestamp is ${now}. Libraries refuse more than ${toleranceSeconds} s: expected for a request that is sent ` +
    'again, otherwise set the clock of the receiver.'
  );
}

interface Signed extends SignedParts {
  readonly secret: SignatureFinding;
  readonly body: SignatureFinding;
}

interface Form {
  readonly text: string;
  readonly finding: SignatureFinding;
}

/** Returns the first form of the secret and the body that makes a signature of the headers, or undefined. */
async function findSigned(given: SignatureCase, hmac: TextHmac): Promise<Signed | undefined> {
  const headers = given.sent?.headers ?? given.headers;
  const truth = parseSignatures(headers);
  const signs = async (secret: string, text: string): Promise<boolean> => {
    // Decoding base64 tolerates line breaks, so the other signature says less about the secret.
    if (truth.service.length > 0) return truth.service.includes((await hmac({ text: secret }, text))?.hex ?? '');
    const standard = await hmac({ base64: secret.slice(PREFIX.length) }, standardText(headers, text));
    return standard !== null && truth.standard.includes(standard.base64);
  };
  for (const body of bodyForms(given)) {
    for (const secret of secretForms(given.secret)) {
      if (!(await signs(secret.text, body.text))) continue;
      return { wholeSecret: secret.text, signedBody: body.text, secret: secret.finding, body: body.finding };
    }
  }
  return undefined;
}

function secretForms(secret: string): readonly Form[] {
  const bare = secret
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  const padded = wrong('secret_padded', 'The secret has spaces, quotes or a line break around it. Remove them.');
  const short = wrong('secret_without_prefix', `The secret lacks ${PREFIX} at its beginning, which is part of it.`);
  return [
    { text: secret, finding: fine('secret_matches', 'The secret is the one that signed this request.') },
    { text: bare, finding: padded },
    { text: `${PREFIX}${bare}`, finding: short },
  ].filter(({ text }) => text !== '');
}

/** With the record of the attempt, the body is known. Otherwise these are the usual changes, undone. */
function bodyForms({ body, sent }: SignatureCase): readonly Form[] {
  if (sent) return [{ text: sent.body, finding: changeOf(body, sent.body) }];
  const forms = [body, body.replace(/^\uFEFF/, ''), body.replaceAll('\r\n', '\n'), body.trimEnd(), `${body}\n`];
  return [...new Set([...forms, ...jsonForms(body)])].map((text) => ({ text, finding: changeOf(body, text) }));
}

/** As JSON is usually written in one line: with or without escaped slashes and letters. */
function jsonForms(body: string): readonly string[] {
  const value = parsed(body);
  if (value === undefined) return [];
  const plain = JSON.stringify(value);
  const escaped = plain.replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [plain, escaped].flatMap((text) => [text, text.replaceAll('/', String.raw`\/`)]);
}

function changeOf(body: string, signed: string): SignatureFinding {
  if (body === signed) return fine('body_matches', 'The body is the one that was signed.');
  if (body === `\uFEFF${signed}`)
    return wrong('body_byte_order_mark', 'The body begins with a byte order mark that was not sent.');
  if (body.replaceAll('\r\n', '\n') === signed)
    return wrong('body_line_breaks', 'The line breaks of the body were changed to CRLF.');
  if (body.trimEnd() === signed.trimEnd())
    return wrong(
      'body_end_changed',
      'The end of the body differs: a line break or spaces were added or removed. Verify exactly what arrived.',
    );
  if (isSameJson(body, signed))
    return wrong(
      'body_rewritten',
      'The body was parsed and written again: the same JSON in other bytes. Verify the raw body before you parse it.',
    );
  return wrong('body_wrong', 'The body is not the one of this attempt.');
}

function unknownFinding({ secret, sent }: SignatureCase): SignatureFinding {
  const hint = secret.trim().startsWith(PREFIX)
    ? 'It may belong to another channel, or it was rotated.'
    : `A signing secret begins with ${PREFIX}. The Verify Token signs nothing.`;
  if (sent) return wrong('secret_wrong', `This secret did not sign the attempt. ${hint}`);
  return wrong('secret_or_body_wrong', `No usual change explains it: this secret did not sign this body. ${hint}`);
}

function isSameJson(one: string, other: string): boolean {
  const left = parsed(one);
  const right = parsed(other);
  return left !== undefined && right !== undefined && sorted(left) === sorted(right);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}
