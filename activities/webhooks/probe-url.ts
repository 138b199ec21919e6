import {
  type ProbeAnswer,
  probeFailure,
  type ProbeFinding,
  probeHeaders,
  type ProbeName,
} from '../../contract/webhooks/probe.ts';
import type { Egress, EgressRequest } from '../../egress/client.ts';
import type { SentResult } from '../../egress/result.ts';
import { NotSent } from '../deliveries/send-delivery.ts';

/** With a probe's own 10 s, shorter than the activity. */
const MAX_WAIT_MS = 3_000;

/** What a probe belongs to, and its request. */
export interface ProbeRequest extends Pick<EgressRequest, 'method' | 'url'> {
  /** The channel, or the owner of a default. */
  readonly ownerId: string;
  readonly workspaceId: string | undefined;
}

/** Throws if nothing was sent, so that the activity is repeated. */
export async function sendProbe(
  egress: Egress,
  { ownerId, workspaceId, ...request }: ProbeRequest,
): Promise<SentResult> {
  const owner = { group: `probe:${ownerId}`, workspaceId };
  const result = await egress.send({ ...request, ...owner, headers: probeHeaders, maxWaitMs: MAX_WAIT_MS });
  if (result.outcome === 'not_sent') throw new NotSent(result.reason);
  return result;
}

export interface ProbeResult {
  readonly probe: ProbeName;
  readonly result: SentResult;
  readonly judge: (answer: ProbeAnswer) => ProbeFinding;
}

export type JudgedProbe =
  | { readonly verdict: 'blocked'; readonly failure: string }
  | { readonly verdict: 'passed'; readonly record: ProbeFinding & { readonly durationMs: number } }
  | {
      readonly verdict: 'failed';
      readonly record: ProbeFinding & { readonly durationMs: number };
      readonly failure: string;
    };

export function judgeProbe({ probe, result, judge }: ProbeResult): JudgedProbe {
  if (result.outcome === 'blocked') {
    return { verdict: 'blocked', failure: `The URL resolves to an address that is not allowed (${result.error})` };
  }
  const finding = judge(answerOf(result));
  const record = { ...finding, durationMs: result.durationMs };
  const failure = probeFailure(probe, finding);
  return failure === undefined ? { verdict: 'passed', record } : { verdict: 'failed', record, failure };
}

function answerOf(result: Exclude<SentResult, { readonly outcome: 'blocked' }>): ProbeAnswer {
  return result.outcome === 'answered'
    ? { kind: 'answered', status: result.status, body: result.body.toString('utf8'), bodyError: result.bodyError }
    : { kind: 'silent', error: result.error };
}
