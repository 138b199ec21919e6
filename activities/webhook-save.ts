import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../contract/failures.ts';
import { judgeEmptyPostAnswer, judgeTokenAnswer, probeHeaders, probeUrl, type ProbeAnswer } from '../contract/probe.ts';
import { sealedContexts } from '../db/sealed-columns.ts';
import type { SecretBox } from '../db/secrets.ts';
import {
  commitCandidate as commit,
  findCandidate,
  halfOpenOf,
  recordCandidateFailure,
  type Candidate,
} from '../db/webhook-candidates.ts';
import type { Egress, EgressResult } from '../egress/client.ts';
import type { Log } from '../log.ts';

export type WebhookSaveActivities = ReturnType<typeof createWebhookSaveActivities>;

export interface WebhookSaveDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  /** Told of the destination that was aimed anew: an open circuit is worth a probe at once. */
  readonly lookAfter: (destinationIds: readonly number[]) => void;
  readonly log: Log;
}

/** `overtaken`: a later save or a clear has begun, or the API has given this one up. */
export type ProbeVerdict = 'passed' | 'failed' | 'blocked' | 'overtaken';

interface CandidateInput {
  readonly candidateId: number;
}

export function createWebhookSaveActivities({ db, secretBox, egress, lookAfter, log }: WebhookSaveDeps) {
  return {
    /** Probe 1: a GET must be answered with the Verify Token as the whole body. */
    async probeVerifyToken({ candidateId }: CandidateInput): Promise<ProbeVerdict> {
      const candidate = await load(candidateId);
      if (candidate.status !== 'staged') return 'overtaken';
      const token = secretBox.open(
        candidate.verifyTokenEncrypted,
        sealedContexts.verifyToken(candidate.channelPublicId),
      );
      const result = await egress.send({ method: 'GET', url: probeUrl(candidate.url, token), headers: probeHeaders });
      return await record(
        candidate,
        'GET',
        judge(result, (answer) => judgeTokenAnswer(answer, token)),
      );
    },

    /** Probe 2: a truly empty POST must be answered with a 2xx. */
    async probeEmptyPost({ candidateId }: CandidateInput): Promise<ProbeVerdict> {
      const candidate = await load(candidateId);
      if (candidate.status !== 'staged') return 'overtaken';
      const result = await egress.send({ method: 'POST', url: candidate.url, headers: probeHeaders });
      return await record(candidate, 'POST', judge(result, judgeEmptyPostAnswer));
    },

    /** Makes the candidate the channel's webhook config, unless its time is over or something later began. */
    async commitCandidate({ candidateId }: CandidateInput): Promise<'committed' | 'overtaken' | 'expired'> {
      const result = await commit(db, { candidateId });
      log.info('webhook.saved', { candidateId, result });
      if (result === 'committed') lookAfter(await halfOpenOf(db, candidateId));
      return result;
    },
  };

  async function load(candidateId: number): Promise<Candidate> {
    const candidate = await findCandidate(db, { candidateId });
    if (!candidate)
      throw ApplicationFailure.nonRetryable(`No candidate ${candidateId}`, failureTypes.candidateNotFound);
    return candidate;
  }

  /** The reason stays in the candidate's row, for whoever saves; the workflow's history gets the verdict alone. */
  async function record(
    candidate: Candidate,
    probe: 'GET' | 'POST',
    { verdict, failure }: Judgement,
  ): Promise<ProbeVerdict> {
    log.info('webhook.probed', { candidateId: candidate.id, channelId: candidate.channelPublicId, probe, verdict });
    if (verdict !== 'passed') await recordCandidateFailure(db, { candidateId: candidate.id, status: verdict, failure });
    return verdict;
  }
}

type Judgement =
  | { readonly verdict: 'passed'; readonly failure: null }
  | { readonly verdict: 'failed' | 'blocked'; readonly failure: string };

function judge(result: EgressResult, judgeAnswer: (answer: ProbeAnswer) => string | undefined): Judgement {
  if (result.outcome === 'blocked') {
    return { verdict: 'blocked', failure: `The URL leads to an address that may not be called (${result.error})` };
  }
  const failure = judgeAnswer(
    result.outcome === 'answered'
      ? { kind: 'answered', status: result.status, body: result.body.toString('utf8') }
      : { kind: 'silent', error: result.error },
  );
  return failure === undefined ? { verdict: 'passed', failure: null } : { verdict: 'failed', failure };
}
