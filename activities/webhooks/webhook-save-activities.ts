import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import { judgeEmptyPostAnswer, judgeTokenAnswer, type ProbeAnswer, probeUrl } from '../../contract/webhooks/probe.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import {
  commitCandidate as commit,
  findCandidate,
  openCircuitOf,
  recordCandidateFailure,
  recordProbe,
  type Candidate,
} from '../../db/webhooks/candidates.ts';
import type { Egress } from '../../egress/client.ts';
import type { SentResult } from '../../egress/result.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';
import { receiversBusy, requesterOwner } from '../deliveries/receiver-slots.ts';
import { judgeProbe, type ProbeRequest, type ProbeResult, sendProbe } from './probe-url.ts';

export type WebhookSaveActivities = ReturnType<typeof createWebhookSaveActivities>;

export interface WebhookSaveDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  /** Of the slots of the receivers queue, which makes the probes of rollouts. */
  readonly receiverShares: Shares;
  /** Called after a URL changed, so that an open circuit is probed immediately. */
  readonly signalCircuits: (destinationIds: readonly number[]) => void;
  readonly log: Log;
}

/** `overtaken`: a later save or clear has started, or the API has abandoned this one. */
export type ProbeVerdict = 'passed' | 'failed' | 'blocked' | 'overtaken';

/** Three tries fit into the activity's 30 s. */
const BUSY_WAIT_MS = 6_000;

interface CandidateInput {
  readonly candidateId: number;
}

export function createWebhookSaveActivities(deps: WebhookSaveDeps) {
  const { db, secretBox, egress, receiverShares, signalCircuits, log } = deps;
  return {
    async probeVerifyToken({ candidateId }: CandidateInput): Promise<ProbeVerdict> {
      const candidate = await load(candidateId);
      if (candidate.status !== 'staged') return 'overtaken';
      const { channelPublicId, isTokenUnseen: isUnseen } = candidate;
      const verifyToken = secretBox.open(candidate.verifyTokenEncrypted, sealedContexts.verifyToken(channelPublicId));
      const result = await send(candidate, { method: 'GET', url: probeUrl(candidate.url, verifyToken) });
      const judge = (answer: ProbeAnswer) => judgeTokenAnswer(answer, { verifyToken, isUnseen });
      return await record(candidate, { probe: 'GET', result, judge });
    },

    async probeEmptyPost({ candidateId }: CandidateInput): Promise<ProbeVerdict> {
      const candidate = await load(candidateId);
      if (candidate.status !== 'staged') return 'overtaken';
      const result = await send(candidate, { method: 'POST', url: candidate.url });
      return await record(candidate, { probe: 'POST', result, judge: judgeEmptyPostAnswer });
    },

    async commitCandidate({ candidateId }: CandidateInput): Promise<'committed' | 'overtaken' | 'expired'> {
      const result = await commit(db, { candidateId });
      log.info('webhook.saved', { candidateId, result });
      if (result === 'committed') signalCircuits(await openCircuitOf(db, candidateId));
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

  async function send(candidate: Candidate, request: Pick<ProbeRequest, 'method' | 'url'>): Promise<SentResult> {
    const { channelPublicId: ownerId, workspacePublicId: workspaceId } = candidate;
    const probe = () => sendProbe(egress, { ...request, ownerId, workspaceId });
    if (candidate.defaultWebhookId === null) return await probe();
    const giveBack = receiverShares.tryTake(requesterOwner('rollouts', candidate));
    if (!giveBack) throw receiversBusy(BUSY_WAIT_MS);
    try {
      return await probe();
    } finally {
      giveBack();
    }
  }

  /** Stores the response in the row. The workflow's history receives only the verdict. */
  async function record(candidate: Candidate, answered: ProbeResult): Promise<ProbeVerdict> {
    const { id: candidateId, channelPublicId: channelId } = candidate;
    const { probe } = answered;
    const judged = judgeProbe(answered);
    const { verdict } = judged;
    if (verdict !== 'blocked') await recordProbe(db, { candidateId, probe, record: judged.record });
    if (verdict !== 'passed') {
      await recordCandidateFailure(db, { candidateId, status: verdict, failure: judged.failure });
    }
    log.info('webhook.probed', { candidateId, channelId, probe, verdict });
    return verdict;
  }
}
