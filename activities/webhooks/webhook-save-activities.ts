import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import {
  judgeEmptyPostAnswer,
  judgeTokenAnswer,
  type ProbeAnswer,
  probeFailure,
  type ProbeFinding,
  probeHeaders,
  type ProbeName,
  probeUrl,
} from '../../contract/webhooks/probe.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import {
  commitCandidate as commit,
  findCandidate,
  halfOpenOf,
  recordCandidateFailure,
  recordProbe,
  type Candidate,
} from '../../db/webhooks/candidates.ts';
import type { Egress, EgressRequest } from '../../egress/client.ts';
import type { SentResult } from '../../egress/result.ts';
import { NotSent } from '../deliveries/send-delivery.ts';
import type { Log } from '../../process/log.ts';

export type WebhookSaveActivities = ReturnType<typeof createWebhookSaveActivities>;

export interface WebhookSaveDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  /** Called after a URL changed, so that an open circuit is probed immediately. */
  readonly signalCircuits: (destinationIds: readonly number[]) => void;
  readonly log: Log;
}

/** `overtaken`: a later save or clear has started, or the API has abandoned this one. */
export type ProbeVerdict = 'passed' | 'failed' | 'blocked' | 'overtaken';

/** With a probe's own 10 s, shorter than the activity. */
const MAX_WAIT_MS = 3_000;

interface CandidateInput {
  readonly candidateId: number;
}

export function createWebhookSaveActivities({ db, secretBox, egress, signalCircuits, log }: WebhookSaveDeps) {
  return {
    async probeVerifyToken({ candidateId }: CandidateInput): Promise<ProbeVerdict> {
      const candidate = await load(candidateId);
      if (candidate.status !== 'staged') return 'overtaken';
      const token = secretBox.open(
        candidate.verifyTokenEncrypted,
        sealedContexts.verifyToken(candidate.channelPublicId),
      );
      const result = await send(candidate, { method: 'GET', url: probeUrl(candidate.url, token) });
      return await record(candidate, 'GET', { result, judge: (answer) => judgeTokenAnswer(answer, token) });
    },

    async probeEmptyPost({ candidateId }: CandidateInput): Promise<ProbeVerdict> {
      const candidate = await load(candidateId);
      if (candidate.status !== 'staged') return 'overtaken';
      const result = await send(candidate, { method: 'POST', url: candidate.url });
      return await record(candidate, 'POST', { result, judge: judgeEmptyPostAnswer });
    },

    async commitCandidate({ candidateId }: CandidateInput): Promise<'committed' | 'overtaken' | 'expired'> {
      const result = await commit(db, { candidateId });
      log.info('webhook.saved', { candidateId, result });
      if (result === 'committed') signalCircuits(await halfOpenOf(db, candidateId));
      return result;
    },
  };

  async function load(candidateId: number): Promise<Candidate> {
    const candidate = await findCandidate(db, { candidateId });
    if (!candidate) {
      throw ApplicationFailure.nonRetryable(`Candidate ${candidateId} not found`, failureTypes.candidateNotFound);
    }
    return candidate;
  }

  /** Throws if nothing was sent, so that the activity is repeated. */
  async function send(candidate: Candidate, request: Pick<EgressRequest, 'method' | 'url'>): Promise<SentResult> {
    const owner = { group: `probe:${candidate.channelPublicId}`, workspaceId: candidate.workspacePublicId };
    const result = await egress.send({ ...request, ...owner, headers: probeHeaders, maxWaitMs: MAX_WAIT_MS });
    if (result.outcome === 'not_sent') throw new NotSent(result.reason);
    return result;
  }

  /** Stores the response in the row. The workflow's history receives only the verdict. */
  async function record(candidate: Candidate, probe: ProbeName, { result, judge }: ProbeResult): Promise<ProbeVerdict> {
    const { id: candidateId, channelPublicId: channelId } = candidate;
    const verdict = await recordVerdict();
    log.info('webhook.probed', { candidateId, channelId, probe, verdict });
    return verdict;

    async function recordVerdict(): Promise<ProbeVerdict> {
      if (result.outcome === 'blocked') {
        const failure = `The URL resolves to an address that is not allowed (${result.error})`;
        await recordCandidateFailure(db, { candidateId, status: 'blocked', failure });
        return 'blocked';
      }
      const finding = judge(answerOf(result));
      await recordProbe(db, { candidateId, probe, record: { ...finding, durationMs: result.durationMs } });
      const failure = probeFailure(probe, finding);
      if (failure === undefined) return 'passed';
      await recordCandidateFailure(db, { candidateId, status: 'failed', failure });
      return 'failed';
    }
  }
}

interface ProbeResult {
  readonly result: SentResult;
  readonly judge: (answer: ProbeAnswer) => ProbeFinding;
}

function answerOf(result: Exclude<SentResult, { readonly outcome: 'blocked' }>): ProbeAnswer {
  return result.outcome === 'answered'
    ? { kind: 'answered', status: result.status, body: result.body.toString('utf8') }
    : { kind: 'silent', error: result.error };
}
