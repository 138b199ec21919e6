import { sequencedId } from '../../contract/ids.ts';
import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import { SAVE_DEADLINE_MS } from '../../contract/webhooks/probe.ts';
import type { Requester } from '../../db/audit/record-audit.ts';
import { findCandidate, recordCandidateFailure } from '../../db/webhooks/candidates.ts';
import { findWebhookDestination, stageCandidate } from '../../db/webhooks/configs.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { listRetryingDeliveries } from '../../db/ledger/end-void-deliveries.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import { runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, OutcomeUnknown, UrlNotAllowed, VerificationFailed } from '../requests/errors.ts';

export interface WebhookSave {
  readonly channel: ChannelRecord;
  readonly url: string;
  readonly verifyToken: string | undefined;
  readonly pending: PendingChoice;
  readonly requestedBy: Requester;
}

/** A workflow probes and commits the candidate. An abandoned one can't be committed later. */
export async function saveWebhookConfig(deps: ApiDeps, save: WebhookSave): Promise<void> {
  const { channel, verifyToken, pending, requestedBy } = save;
  const url = parseUrl(deps, 'webhookUrl', save.url);
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
  const key = { channelId: channel.publicId, candidateId };
  await runStaged({
    run: () => deps.starts.saveWebhook({ ...key, workspaceId: channel.workspacePublicId }),
    logUnanswered: ({ cause: error }) => deps.log.warn('webhookSave.unanswered', { ...key, error }),
    giveUp: () =>
      recordCandidateFailure(deps.db, {
        candidateId,
        status: 'abandoned',
        failure: 'The workflow did not answer in time',
      }),
    decide: () => judgeEnd(deps, candidateId),
    unknown: unanswered,
  });
  // A delivery added after the list was read is cancelled at its next attempt.
  deps.starts.cancelDeliveries(retrying.map((id) => sequencedId(deps.idKey, 'delivery', id)));
}

async function listRetrying({ db }: ApiDeps, { id }: ChannelRecord): Promise<readonly number[]> {
  const destinationId = await findWebhookDestination(db, id);
  return destinationId === undefined ? [] : await listRetryingDeliveries(db, destinationId);
}

/** Returns undefined for an undecided candidate. */
async function judgeEnd({ db }: ApiDeps, candidateId: number): Promise<'committed' | undefined> {
  const candidate = await findCandidate(db, { candidateId });
  const failure = candidate?.failure ?? 'The webhook could not be verified.';
  switch (candidate?.status) {
    case 'committed':
      return 'committed';
    case 'failed':
      throw new VerificationFailed(failure);
    case 'blocked':
      throw new UrlNotAllowed('webhookUrl', failure);
    case 'overtaken':
      throw new Conflict('WEBHOOK_CONFIG_CHANGED', 'A later change of this webhook began before this one was saved.');
    case 'abandoned':
    case 'staged':
    case undefined:
      return undefined;
  }
}

const unanswered = (): OutcomeUnknown =>
  new OutcomeUnknown('The save timed out and was abandoned. Read GET /webhook-config before you save again.');
