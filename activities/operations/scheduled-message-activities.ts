import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import { scheduledMessageWorkflowId } from '../../contract/ids.ts';
import {
  MAX_SEND_DELAY_MS,
  PREPARE_SEND_MS,
  type ScheduledMessageStanding,
  sendRetryDelayMs,
  type SendScheduledMessageInput,
} from '../../contract/operations/scheduled-message.ts';
import { type ChannelAccount, findChannelAccount } from '../../db/channels/account.ts';
import { refuseCredential } from '../../db/channels/refused-credentials.ts';
import { type ChannelRecord, findChannelRecord } from '../../db/channels/records.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import {
  endLostSend,
  failLateMessage,
  readStanding,
  releaseStart,
  takeDueMessage,
} from '../../db/operations/due-messages.ts';
import { moveScheduledMessage, type ScheduledMessageMove } from '../../db/operations/move-scheduled-message.ts';
import type { OutboundLog } from '../../db/operations/outbound-calls.ts';
import {
  loadScheduledMessage,
  openScheduledMessage,
  type ScheduledMessageRecord,
} from '../../db/operations/scheduled-messages.ts';
import { sendMessage, type SentMessage } from '../../platform/operations/messages.ts';
import type { PlatformOperations } from '../../platform/operations/operations.ts';
import type { Log } from '../../process/log.ts';
import { withHeartbeat } from '../with-heartbeat.ts';
import { judgeFailedSend } from './judge-failed-send.ts';

export interface ScheduledMessageActivityDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly outbound?: Pick<OutboundLog, 'record'>;
  readonly platformOperations: Pick<PlatformOperations, 'actFor'>;
  readonly log: Log;
}

export type ScheduledMessageActivities = ReturnType<typeof createScheduledMessageActivities>;

interface Send {
  readonly message: ScheduledMessageRecord;
  readonly channel: ChannelRecord;
  readonly account: ChannelAccount;
}

export function createScheduledMessageActivities(deps: ScheduledMessageActivityDeps) {
  const { db, secretBox, log } = deps;

  return {
    /** Sends a message that is due with a single call. Never sends a claimed message again. */
    async sendDueMessage({ scheduledMessageId }: SendScheduledMessageInput): Promise<ScheduledMessageStanding> {
      const message = await requireMessage(db, scheduledMessageId);
      if (message.status === 'sending') await endLostSend(db, { id: message.id, detail: LOST });
      if (message.status !== 'scheduled' || (await failLateMessage(db, message))) return await standing(message);
      const now = await standing(message);
      if (now.waitMs !== 0) return now;
      const send = await findSend(message);
      const sealed = send && (await takeDueMessage(db, message));
      if (send && sealed !== undefined) await sendTaken(send, sealed);
      return await standing(message);
    },

    /**
     * Ends a claimed message without an outcome as `unknown`, and lets another run have a message that was not claimed.
     * Call only if no send of the message runs.
     */
    async settleMessage({ scheduledMessageId }: SendScheduledMessageInput): Promise<ScheduledMessageStanding> {
      const message = await requireMessage(db, scheduledMessageId);
      const { id } = message;
      await moveScheduledMessage(db, { id, to: 'unknown', from: ['sending'], reason: 'outcome_unknown', detail: LOST });
      await releaseStart(db, message);
      return await standing(message);
    },
  };

  async function standing(message: ScheduledMessageRecord): Promise<ScheduledMessageStanding> {
    return (await readStanding(db, message)) ?? notFound(message.publicId);
  }

  /** Ends the message if its channel can no longer send it. */
  async function findSend(message: ScheduledMessageRecord): Promise<Send | undefined> {
    const { id, workspaceId, channelPublicId } = message;
    const channel = await findChannelRecord(db, { publicId: channelPublicId });
    if (channel?.workspaceId !== workspaceId) {
      await moveScheduledMessage(db, { id, to: 'failed', from: ['scheduled'], reason: 'channel_moved', detail: MOVED });
      return undefined;
    }
    const account = await findChannelAccount(db, secretBox, { id: message.channelId, workspaceId });
    if (account && account.refusedReason !== null) {
      const detail = `Not sent yet: ${account.refusedReason}`;
      const move = postponedMove(message, { detail, retryAfterMs: 0 });
      await moveScheduledMessage(db, { id, from: ['scheduled'], ...move });
      return undefined;
    }
    if (account) return { message, channel, account };
    const failed = { to: 'failed', reason: 'channel_disconnected', detail: DISCONNECTED } as const;
    await moveScheduledMessage(db, { id, from: ['scheduled'], ...failed });
    return undefined;
  }

  async function sendTaken(send: Send, sealed: string): Promise<void> {
    const { message } = send;
    const { publicId: scheduledMessageId, id } = message;
    let hasWritten = false;
    const outcome = await withHeartbeat((signal) => call(send, { sealed, signal, onWrite: () => (hasWritten = true) }))
      .then((sent): Omit<ScheduledMessageMove, 'id'> => {
        return { to: 'sent', platformMessageId: sent.messageId };
      })
      .catch(async (error: unknown) => await failedMove(send, { error, hasWritten }));
    // `unknown` if the worker was suspended during the call.
    const isRecorded = await moveScheduledMessage(db, { id, from: ['sending', 'unknown'], ...outcome });
    log.info('scheduledMessage.sendEnded', { scheduledMessageId, status: outcome.to, isRecorded });
  }

  async function call(
    { message, channel, account }: Send,
    { sealed, signal, onWrite }: { sealed: string; signal: AbortSignal; onWrite: () => void },
  ): Promise<SentMessage> {
    const { publicId, channelId, workspaceId } = message;
    const content = openScheduledMessage(secretBox, { publicId, messageEncrypted: sealed });
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
          ...{ channelId, workspaceId, via: 'workflow', caller: scheduledMessageWorkflowId(publicId) },
          ...{ operation: 'sendMessage', requestId: publicId },
        }),
    });
    return await sendMessage(client, content ?? {});
  }

  async function failedMove(
    { message, channel, account }: Send,
    { error, hasWritten }: { readonly error: unknown; readonly hasWritten: boolean },
  ): Promise<Omit<ScheduledMessageMove, 'id'>> {
    const verdict = judgeFailedSend(error, { hasWritten });
    if (verdict.to !== 'scheduled') return verdict;
    if (verdict.deadCredential !== undefined) {
      const refused = { secretBox, token: account.token };
      await refuseCredential(db, { of: { channelId: channel.id }, reason: verdict.deadCredential, refused });
      log.warn('channelCredential.refused', { channelId: channel.publicId });
    }
    return postponedMove(message, verdict);
  }
}

/** At the latest, the message is due again when it is too late, so that it ends. */
function postponedMove(
  { attempts, sendAt }: ScheduledMessageRecord,
  { detail, retryAfterMs }: { readonly detail: string; readonly retryAfterMs: number },
): Omit<ScheduledMessageMove, 'id'> {
  const retryAtMs = Date.now() + Math.max(sendRetryDelayMs(attempts + 1), retryAfterMs);
  const nextAttemptAt = new Date(Math.min(retryAtMs, sendAt.getTime() + MAX_SEND_DELAY_MS));
  return { to: 'scheduled', detail, set: { nextAttemptAt, nextStartAt: nextAttemptAt, sentAt: null } };
}

async function requireMessage(db: Knex, scheduledMessageId: string): Promise<ScheduledMessageRecord> {
  const message = await loadScheduledMessage(db, scheduledMessageId);
  return message ?? notFound(scheduledMessageId);
}

function notFound(scheduledMessageId: string): never {
  throw ApplicationFailure.nonRetryable(
    `Scheduled message ${scheduledMessageId} not found`,
    failureTypes.scheduledMessageNotFound,
  );
}

const LOST =
  'The send was interrupted: it may or may not have been sent. Look at the conversation before you repeat it.';
const MOVED = 'Not sent: the channel has moved to another workspace.';
const DISCONNECTED = 'Not sent: the channel is disconnected.';
