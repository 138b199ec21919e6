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
import type { Egress, EgressResult } from '../../egress/client.ts';
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
      const result = await egress.send({ method: 'GET', url: probeUrl(candidate.url, token), headers: probeHeaders });
      return await record(candidate, 'GET', { result, judge: (answer) => judgeTokenAnswer(answer, token) });
    },

    async probeEmptyPost({ candidateId }: CandidateInput): Promise<ProbeVerdict> {
      const candidate = await load(candidateId);
      if (candidate.status !== 'staged') return 'overtaken';
      const result = await egress.send({ method: 'POST', url: candidate.url, headers: probeHeaders });
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
  readonly result: EgressResult;
  readonly judge: (answer: ProbeAnswer) => ProbeFinding;
}

function answerOf(result: Exclude<EgressResult, { readonly outcome: 'blocked' }>): ProbeAnswer {
  return result.outcome === 'answered'
    ? { kind: 'answered', status: result.status, body: result.body.toString('utf8') }
    : { kind: 'silent', error: result.error };
}
