import { verifierUserAgent } from './user-agents.ts';

/**
 * The two probes that a webhook URL must pass before it is trusted (specification 6.2), and what counts as passing.
 * Receivers of two kinds exist: one answers with its own Verify Token, the other echoes the platform's challenge. The
 * GET therefore carries the token as both.
 */
export const probeHeaders = {
  'x-service-probe': 'webhook-verification',
  'user-agent': verifierUserAgent,
} as const;

/** What a receiver answered, or why there is no answer. */
export type ProbeAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'silent'; readonly error: string };

/** The URL of the first probe; the receiver's own query stays. */
export function probeUrl(url: string, verifyToken: string): string {
  const token = encodeURIComponent(verifyToken);
  const [address = '', fragment] = url.split('#', 2);
  const query = `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${token}`;
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

/** Why the first probe failed, in a sentence that lets the receiver be mended; undefined when it passed. */
export function judgeTokenAnswer(answer: ProbeAnswer, verifyToken: string): string | undefined {
  const expected = 'The GET probe expected status 200 with the Verify Token as the whole body';
  if (answer.kind === 'silent') return `${expected}, but ${silence(answer.error)}.`;
  if (answer.status !== 200)
    return `${expected}, but the receiver answered status ${answer.status}${excerpt(answer.body)}.`;
  if (answer.body.trim() === verifyToken) return undefined;
  return `${expected}, but the body was ${answer.body.trim() === '' ? 'empty' : 'another'}${excerpt(answer.body)}.`;
}

/** Why the second probe failed; undefined when it passed. */
export function judgeEmptyPostAnswer(answer: ProbeAnswer): string | undefined {
  const expected =
    'The POST probe (empty body, header X-Service-Probe, no signature) expected a 2xx status before any signature check';
  if (answer.kind === 'silent') return `${expected}, but ${silence(answer.error)}.`;
  if (answer.status >= 200 && answer.status < 300) return undefined;
  return `${expected}, but the receiver answered status ${answer.status}${excerpt(answer.body)}.`;
}

const silence = (error: string): string => `the receiver gave no answer (${error})`;

/** Enough to recognise a login page or a framework's error, not enough to read a document through us. */
const EXCERPT_LENGTH = 120;

function excerpt(body: string): string {
  const text = body.replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  return `: ${JSON.stringify(text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text)}`;
}
