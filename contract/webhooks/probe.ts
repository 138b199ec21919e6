import { verifierUserAgent } from '../deliveries/user-agents.ts';

/**
 * The two probes that a webhook URL must pass before it is trusted (specification 6.2), and what counts as passing.
 * Receivers of two kinds exist: one answers with its own Verify Token, the other echoes the platform's challenge. The
 * GET therefore carries the token as both.
 */
export const probeHeaders = {
  'x-service-probe': 'webhook-verification',
  'user-agent': verifierUserAgent,
} as const;

/** In the order in which they are sent: the second only where the first has passed. */
export const probeNames = ['GET', 'POST'] as const;
export type ProbeName = (typeof probeNames)[number];

/** Those of a delivery's attempts, but for what passes: a probe is accepted when the answer is the expected one. */
export const probeOutcomes = ['passed', 'rejected', 'no_response', 'not_sent'] as const;

/** What each asks of the receiver, to stand behind "expected". */
export const probeExpectations: Readonly<Record<ProbeName, string>> = {
  GET: 'status 200 with the Verify Token as the whole body',
  POST: 'a 2xx status before any signature check',
};

/** What a receiver answered, or why there is no answer. */
export type ProbeAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'silent'; readonly error: string };

/** What a probe came to, in fields that hold neither the Verify Token nor more of an answer than shows what it is. */
export interface ProbeFinding {
  readonly outcome: 'passed' | 'rejected' | 'no_response';
  /** HTTP status of the answer; null where none came. */
  readonly status: number | null;
  /** What was wrong, to stand behind "but"; null when it passed. */
  readonly found: string | null;
  /** The beginning of a wrong answer; null when it passed, and for none. */
  readonly responseBody: string | null;
  /** Why there was no answer. */
  readonly error: string | null;
}

/** The URL of the first probe; the receiver's own query stays. */
export function probeUrl(url: string, verifyToken: string): string {
  const token = encodeURIComponent(verifyToken);
  const [address = '', fragment] = url.split('#', 2);
  const query = `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${token}`;
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

/** Whether the first probe was answered as it must be: by status 200 with the Verify Token as the whole body. */
export function judgeTokenAnswer(answer: ProbeAnswer, verifyToken: string): ProbeFinding {
  if (answer.kind === 'silent') return silence(answer.error);
  const { status, body } = answer;
  const begin = excerpt(body, verifyToken);
  if (status !== 200) return wrong(status, { found: `the receiver answered status ${status}`, begin });
  if (body.trim() === verifyToken) return passed(status);
  return wrong(status, { found: `the body was ${body.trim() === '' ? 'empty' : 'another'}`, begin });
}

/** Whether the second probe was: by any 2xx. */
export function judgeEmptyPostAnswer(answer: ProbeAnswer): ProbeFinding {
  if (answer.kind === 'silent') return silence(answer.error);
  const { status, body } = answer;
  if (status >= 200 && status < 300) return passed(status);
  return wrong(status, { found: `the receiver answered status ${status}`, begin: excerpt(body) });
}

/** Why a probe failed, in a sentence that lets the receiver be mended; undefined when it passed. */
export function probeFailure(probe: ProbeName, { found }: Pick<ProbeFinding, 'found'>): string | undefined {
  if (found === null) return undefined;
  const what = probe === 'GET' ? '' : ' (empty body, header X-Service-Probe, no signature)';
  return `The ${probe} probe${what} expected ${probeExpectations[probe]}, but ${found}.`;
}

const nothing = { status: null, found: null, responseBody: null, error: null } as const;

function passed(status: number): ProbeFinding {
  return { ...nothing, outcome: 'passed', status };
}

function silence(error: string): ProbeFinding {
  return { ...nothing, outcome: 'no_response', found: `the receiver gave no answer (${error})`, error };
}

function wrong(status: number, { found, begin }: { readonly found: string; readonly begin: string }): ProbeFinding {
  const shown = begin === '' ? found : `${found}: ${JSON.stringify(begin)}`;
  return { ...nothing, outcome: 'rejected', status, found: shown, responseBody: begin };
}

/** Enough to recognise a login page or a framework's error, not enough to read a document through us. */
const EXCERPT_LENGTH = 120;

/** Without the Verify Token, which a receiver that shows its own query would have written where everybody looks. */
function excerpt(body: string, verifyToken?: string): string {
  const masked = verifyToken === undefined ? body : body.replaceAll(verifyToken, '[Verify Token]');
  const text = masked.replace(/\s+/g, ' ').trim().replace(controlCharacters, '\ufffd');
  const begin = Array.from(text.slice(0, 2 * EXCERPT_LENGTH))
    .slice(0, EXCERPT_LENGTH)
    .join('')
    .toWellFormed();
  return begin.length < text.length ? `${begin}…` : begin;
}

/** The database takes no NUL, and nobody's terminal should take the others. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;
