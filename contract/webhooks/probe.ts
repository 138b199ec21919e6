import { verifierUserAgent } from '../deliveries/user-agents.ts';

/**
 * Receivers answer with their Verify Token or echo the platform's challenge, so the GET probe sends the token as both.
 */
export const probeHeaders = {
  'x-service-probe': 'webhook-verification',
  'user-agent': verifierUserAgent,
} as const;

/** Then a save is abandoned: two probes of 10 s each, plus queueing. */
export const SAVE_DEADLINE_MS = 30_000;

export const probeNames = ['GET', 'POST'] as const;
export type ProbeName = (typeof probeNames)[number];

export const probeOutcomes = ['passed', 'rejected', 'no_response', 'not_sent'] as const;

export const probeExpectations: Readonly<Record<ProbeName, string>> = {
  GET: 'status 200 with the Verify Token as the whole body',
  POST: 'a 2xx status before any signature check',
};

export type ProbeAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      /** Optional. What cut the body off. Default: nothing did. */
      readonly bodyError?: string | null;
    }
  | { readonly kind: 'silent'; readonly error: string };

/** Contains no Verify Token. */
export interface ProbeFinding {
  readonly outcome: 'passed' | 'rejected' | 'no_response';
  readonly status: number | null;
  /** Follows "but" in the message; null if passed. */
  readonly found: string | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}

export function probeUrl(url: string, verifyToken: string): string {
  const token = encodeURIComponent(verifyToken);
  const [address = '', fragment] = url.split('#', 2);
  const query = `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${token}`;
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

export interface SentToken {
  readonly verifyToken: string;
  /** Optional. Whether the service minted the token and has shown it to no one, so that no receiver can know it. */
  readonly isUnseen?: boolean;
}

export function judgeTokenAnswer(answer: ProbeAnswer, { verifyToken, isUnseen = false }: SentToken): ProbeFinding {
  if (answer.kind === 'silent') return silence(answer.error);
  const { status, body, bodyError = null } = answer;
  const begin = excerpt(body, verifyToken);
  const unseen = isUnseen ? UNSEEN_TOKEN : '';
  const cause = (refusals.includes(status) ? UNKNOWN_TOKEN : '') + unseen;
  if (status !== 200) return wrong(status, { found: `the receiver answered status ${status}`, begin, cause });
  // A body that is cut off may have had more.
  if (body.trim() === verifyToken && bodyError === null) return passed(status);
  const difference = body.trim() === '' ? 'empty' : 'different';
  return wrong(status, {
    found: `the body was ${bodyError === null ? difference : `cut off (${bodyError})`}`,
    begin,
    cause: unseen,
  });
}

const refusals: readonly number[] = [401, 403];
const UNKNOWN_TOKEN = '. It does not seem to know the Verify Token that the probe sent';
const UNSEEN_TOKEN =
  ". This token has not been shown to anyone yet: start the receiver with the channel's VERIFY_TOKEN " +
  '(GET /platform/channels/{ch}/env, or `channels env`)';

export function judgeEmptyPostAnswer(answer: ProbeAnswer): ProbeFinding {
  if (answer.kind === 'silent') return silence(answer.error);
  const { status, body } = answer;
  if (status >= 200 && status < 300) return passed(status);
  return wrong(status, { found: `the receiver answered status ${status}`, begin: excerpt(body) });
}

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
  const cause = silenceCauses[error];
  const said = cause === undefined ? error : `${error}: ${cause}`;
  return { ...nothing, outcome: 'no_response', found: `the receiver did not respond (${said})`, error };
}

const silenceCauses: Readonly<Record<string, string>> = {
  connect_refused: 'no program listens at that address',
  tls_failed_expired: 'its certificate has expired, or is not valid yet',
  tls_failed_name: 'its certificate is for another name',
  tls_failed_chain: 'its certificate comes without its intermediates, or from no public root',
  bad_response: 'what it sent is not HTTP, or has a broken head or one of more than 64 KiB',
};

interface WrongAnswer {
  readonly found: string;
  readonly begin: string;
  /** Optional. Sentences, each after a full stop. */
  readonly cause?: string;
}

function wrong(status: number, { found, begin, cause = '' }: WrongAnswer): ProbeFinding {
  const shown = begin === '' ? found : `${found}: ${JSON.stringify(begin)}`;
  return { ...nothing, outcome: 'rejected', status, found: shown + cause, responseBody: begin };
}

/** Enough to recognize an error page, too little to read documents. */
const EXCERPT_LENGTH = 120;

function excerpt(body: string, verifyToken?: string): string {
  const masked = verifyToken === undefined ? body : body.replaceAll(verifyToken, '[Verify Token]');
  const text = masked.replace(/\s+/g, ' ').trim().replace(controlCharacters, '\ufffd');
  const begin = Array.from(text.slice(0, 2 * EXCERPT_LENGTH))
    .slice(0, EXCERPT_LENGTH)
    .join('')
    .toWellFormed();
  return begin.length < text.length ? `${begin}…` : begin;
}

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;
