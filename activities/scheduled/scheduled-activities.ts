import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import type { StartedContainer } from '../../contract/containers/workflow.ts';
import { failureTypes } from '../../contract/failures.ts';
import { scheduledWorkflowId } from '../../contract/ids.ts';
import {
  type CarryScheduledInput,
  MAX_DELAY_MS,
  PREPARE_SEND_MS,
  type ScheduledStanding,
  sendRetryDelayMs,
} from '../../contract/scheduled/scheduled.ts';
import { type ChannelAccount, findChannelAccount } from '../../db/channels/account.ts';
import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import { type ChannelRecord, findChannelRecord } from '../../db/channels/records.ts';
import { containerStartOf } from '../../db/containers/records.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import { endLostSend, failLate, readStanding, takeDueMessage } from '../../db/scheduled/due.ts';
import { moveScheduled, type ScheduledMove } from '../../db/scheduled/move.ts';
import { loadScheduled, openMessage, type ScheduledRecord } from '../../db/scheduled/records.ts';
import { followPost, startDuePost } from '../../db/scheduled/start-post.ts';
import { sendMessage, type SentMessage } from '../../platform/operations/messages.ts';
import type { PlatformOperations } from '../../platform/operations/operations.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';
import { BUSY_WAIT_MS, SHORT_WAIT_MS, tryAgainLater } from '../deliveries/receiver-slots.ts';
import { withHeartbeat } from '../with-heartbeat.ts';
import { judgeFailedSend } from './judge-failed-send.ts';

export interface ScheduledActivityDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly outbound?: Pick<OutboundLog, 'record'>;
  readonly platformOperations: Pick<PlatformOperations, 'actFor'>;
  readonly mediaShares: Shares;
  /** Starts the workflow of a container, unless it runs. */
  readonly resumeContainer: (container: StartedContainer) => Promise<void>;
  readonly log: Log;
}

export type ScheduledActivities = ReturnType<typeof createScheduledActivities>;

type Input = Pick<CarryScheduledInput, 'scheduledId'>;

interface Send {
  readonly message: ScheduledRecord;
  readonly channel: ChannelRecord;
  readonly account: ChannelAccount;
}

export function createScheduledActivities(deps: ScheduledActivityDeps) {
  const { db, secretBox, mediaShares, log } = deps;

  return {
    async readScheduled({ scheduledId }: Input): Promise<ScheduledStanding> {
      return await readStanding(db, await requireScheduled(db, scheduledId));
    },

    /** Sends a message that is due with a single call. Never sends a claimed message again. */
    async sendDueMessage({ scheduledId }: Input): Promise<ScheduledStanding> {
      const message = await requireScheduled(db, scheduledId);
      if (message.status === 'sending') await endLostSend(db, { id: message.id, detail: LOST });
      return message.status === 'scheduled'
        ? await withinShare(message, () => send(message))
        : await readStanding(db, message);
    },

    /** Starts the container of a post that is due, and follows it until the platform has taken it. */
    async startDuePost({ scheduledId }: Input): Promise<ScheduledStanding> {
      const post = await requireScheduled(db, scheduledId);
      if (post.status === 'started') return await follow(post);
      return post.status === 'scheduled' ? await withinShare(post, () => start(post)) : await readStanding(db, post);
    },
  };

  /** Beyond the share of the organization, ends the activity at once, so that the wait holds no slot. */
  async function withinShare(
    { organizationId }: ScheduledRecord,
    act: () => Promise<ScheduledStanding>,
  ): Promise<ScheduledStanding> {
    const giveBack = mediaShares.tryTake({ organizationId });
    if (!giveBack) {
      tryAgainLater(SHORT_WAIT_MS);
      return { status: 'scheduled', waitMs: BUSY_WAIT_MS };
    }
    try {
      return await act();
    } finally {
      giveBack();
    }
  }

  async function start(post: ScheduledRecord): Promise<ScheduledStanding> {
    const container = await startDuePost(db, post);
    const standing = await readStanding(db, post);
    if (standing.status !== 'scheduled') {
      log.info('scheduledPost.started', { scheduledPostId: post.publicId, containerId: container?.publicId ?? null });
    }
    if (container) await deps.resumeContainer(containerStartOf(container));
    return standing;
  }

  async function follow(post: ScheduledRecord): Promise<ScheduledStanding> {
    const container = await followPost(db, post);
    if (container) await deps.resumeContainer(containerStartOf(container));
    const standing = await readStanding(db, post);
    if (standing.status === 'scheduled') log.warn('scheduledPost.postponed', { scheduledPostId: post.publicId });
    return standing;
  }

  async function send(message: ScheduledRecord): Promise<ScheduledStanding> {
    await failLate(db, { id: message.id, detail: message.statusDetail ?? LATE });
    const now = await readStanding(db, message);
    if (now.status !== 'scheduled' || now.waitMs !== 0) return now;
    const found = await findSend(message);
    const sealed = found && (await takeDueMessage(db, message));
    if (found && sealed !== undefined) await sendTaken(found, sealed);
    return await readStanding(db, message);
  }

  /** Ends the message if its channel can no longer send it. */
  async function findSend(message: ScheduledRecord): Promise<Send | undefined> {
    const { id, workspaceId, channelPublicId } = message;
    const move = async (to: Omit<ScheduledMove, 'id'>) => {
      await moveScheduled(db, { id, from: ['scheduled'], dueAtRead: message.dueAt, ...to });
      return undefined;
    };
    const channel = await findChannelRecord(db, { publicId: channelPublicId });
    if (channel?.workspaceId !== workspaceId) {
      return await move({ to: 'failed', reason: 'channel_moved', detail: MOVED });
    }
    const account = await findChannelAccount(db, secretBox, { id: message.channelId, workspaceId });
    if (!account) return await move({ to: 'failed', reason: 'channel_disconnected', detail: DISCONNECTED });
    if (account.refusedReason === null) return { message, channel, account };
    return await move(postponed(message, { detail: `Not sent yet: ${account.refusedReason}`, retryAfterMs: 0 }));
  }

  async function sendTaken(found: Send, sealed: string): Promise<void> {
    const { id, publicId: scheduledMessageId } = found.message;
    log.info('scheduledMessage.started', { scheduledMessageId });
    let hasWritten = false;
    const outcome = await withHeartbeat((signal) => call(found, { sealed, signal, onWrite: () => (hasWritten = true) }))
      .then((sent): Omit<ScheduledMove, 'id'> => ({ to: 'sent', platformMessageId: sent.messageId }))
      .catch(async (error: unknown) => await failedMove(found, { error, hasWritten }));
    // `unknown` if the worker was suspended during the call.
    const isRecorded = await moveScheduled(db, { id, from: ['sending', 'unknown'], ...outcome });
    log.info('scheduledMessage.sendEnded', { scheduledMessageId, status: outcome.to, isRecorded });
  }

  async function call(
    { message, channel, account }: Send,
    { sealed, signal, onWrite }: { sealed: string; signal: AbortSignal; onWrite: () => void },
  ): Promise<SentMessage> {
    const { publicId, channelId, workspaceId } = message;
    const content = openMessage(secretBox, { publicId, messageEncrypted: sealed });
    // Once written, the call continues to its answer, even if the worker stops.
    const unsent = new AbortController();
    const stopped = AbortSignal.any([signal, AbortSignal.timeout(PREPARE_SEND_MS)]);
    if (stopped.aborted) unsent.abort(stopped.reason);
    let hasWritten = false;
    stopped.addEventListener('abort', () => hasWritten || unsent.abort(stopped.reason));
    const client = deps.platformOperations.actFor({
      ...account,
      type: channel.type,
      signal: unsent.signal,
      onWrite: () => {
        hasWritten = true;
        onWrite();
      },
      onCall: (report) =>
        deps.outbound?.record({
          ...report,
          channelId,
          workspaceId,
          via: 'workflow',
          caller: scheduledWorkflowId(publicId),
          operation: 'sendMessage',
          requestId: publicId,
        }),
    });
    return await sendMessage(client, content ?? {});
  }

  async function failedMove(
    { message, channel, account }: Send,
    { error, hasWritten }: { readonly error: unknown; readonly hasWritten: boolean },
  ): Promise<Omit<ScheduledMove, 'id'>> {
    const verdict = judgeFailedSend(error, { hasWritten });
    if (verdict.to !== 'scheduled') return verdict;
    if (verdict.deadCredential !== undefined) {
      const refused = { secretBox, token: account.token };
      await refuseCredential(db, { of: { channelId: channel.id }, reason: verdict.deadCredential, refused });
      log.warn('channelCredential.refused', { channelId: channel.publicId });
    }
    return postponed(message, verdict);
  }
}

/** At the latest, the message is due again when it is too late, so that it ends. */
function postponed(
  { attempts, dueAt }: ScheduledRecord,
  { detail, retryAfterMs }: { readonly detail: string; readonly retryAfterMs: number },
): Omit<ScheduledMove, 'id'> {
  const retryAtMs = Date.now() + Math.max(sendRetryDelayMs(attempts + 1), retryAfterMs);
  return { to: 'scheduled', detail, actAt: new Date(Math.min(retryAtMs, dueAt.getTime() + MAX_DELAY_MS)) };
}

async function requireScheduled(db: Knex, scheduledId: string): Promise<ScheduledRecord> {
  const scheduled = await loadScheduled(db, scheduledId);
  if (scheduled) return scheduled;
  throw ApplicationFailure.nonRetryable(`${scheduledId} not found`, failureTypes.scheduledNotFound);
}

const LATE = 'Not sent: its time passed more than an hour ago.';
const LOST =
  'The send was interrupted: it may or may not have been sent. Look at the conversation before you repeat it.';
const MOVED = 'Not sent: the channel has moved to another workspace.';
const DISCONNECTED = 'Not sent: the channel is disconnected.';
