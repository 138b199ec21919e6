import { sequencedId } from '../../contract/ids.ts';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import {
  type Candidate,
  findCandidate,
  recordCandidateFailure,
  type WebhookRequester,
} from '../../db/webhooks/candidates.ts';
import { findWebhookDestination, stageCandidate } from '../../db/webhooks/configs.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { listRetryingDeliveries } from '../../db/ledger/end-waiting-deliveries.ts';
import { refuseUrlForm } from '../destinations/refuse-url-form.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { presentProbes } from './present-probes.ts';
import {
  Conflict,
  OutcomeUnknown,
  UrlNotAllowed,
  VerificationFailed,
  WorkflowUnavailable,
} from '../requests/errors.ts';

/** Two probes of 10 s each, and room for the queue before them. */
const SAVE_DEADLINE_MS = 30_000;

export interface WebhookSave {
  readonly channel: ChannelRecord;
  readonly url: string;
  readonly verifyToken: string | undefined;
  readonly pending: PendingChoice;
  readonly requestedBy: WebhookRequester;
}

/**
 * Saves a webhook: stages the candidate, has a workflow probe and commit it, and waits for the end. Returns what came of
 * the probes when the config is saved, and throws the refusal otherwise. Whatever happens, the candidate's row decides once: a save that
 * was given up here is abandoned there, and can't commit later.
 */
export async function saveWebhookConfig(deps: ApiDeps, save: WebhookSave): Promise<Candidate['probes']> {
  const { channel, url, verifyToken, pending, requestedBy } = save;
  refuseUrlForm(deps, url);
  const retrying = pending === 'cancel' ? await listRetrying(deps, channel) : [];
  const candidateId = await stageCandidate(deps.db, deps.secretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
    url,
    verifyToken,
    deadlineMs: SAVE_DEADLINE_MS,
    pending,
    requestedBy,
  });
  const started = await deps.temporal.saveWebhook({
    channelId: channel.publicId,
    workspaceId: channel.workspacePublicId,
    candidateId,
  });
  if (started.state !== 'ended') {
    deps.log.warn('webhookSave.unanswered', { channelId: channel.publicId, candidateId, error: started.cause });
    const failure = 'No answer from the workflow';
    const abandoned = await recordCandidateFailure(deps.db, { candidateId, status: 'abandoned', failure });
    if (abandoned) throw started.state === 'not_started' ? new WorkflowUnavailable() : unanswered();
  }
  const probes = await judgeEnd(deps, candidateId);
  // The save has ended their rows. What came to wait after they were listed learns of it at its next attempt.
  deps.temporal.cancelDeliveries(retrying.map((id) => sequencedId(deps.idKey, 'delivery', id)));
  return probes;
}

async function listRetrying({ db }: ApiDeps, { id }: ChannelRecord): Promise<readonly number[]> {
  const destinationId = await findWebhookDestination(db, id);
  return destinationId === undefined ? [] : await listRetryingDeliveries(db, destinationId);
}

/** Turns the candidate's end into the answer: the row is the truth, whatever became of the call that waited for it. */
async function judgeEnd({ db }: ApiDeps, candidateId: number): Promise<Candidate['probes']> {
  const candidate = await findCandidate(db, { candidateId });
  const failure = candidate?.failure ?? 'The webhook could not be verified.';
  switch (candidate?.status) {
    case 'committed':
      return candidate.probes;
    case 'failed':
      throw new VerificationFailed(failure, presentProbes(candidate.probes));
    case 'blocked':
      throw new UrlNotAllowed(failure);
    case 'overtaken':
      throw new Conflict('WEBHOOK_CONFIG_CHANGED', 'A later save or clear of this webhook overtook this one.');
    case 'abandoned':
    case 'staged':
    case undefined:
      throw unanswered();
  }
}

const unanswered = (): OutcomeUnknown =>
  new OutcomeUnknown(
    'The save ran out of time and was given up. Read GET /webhook-config for what is set before you save again.',
  );
