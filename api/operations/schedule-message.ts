import {
  MAX_SCHEDULED_PER_CHANNEL,
  MAX_SEND_AHEAD_MS,
  SEND_CLOCK_SLACK_MS,
} from '../../contract/operations/scheduled-message.ts';
import type { AuditContext } from '../../db/audit/record-audit.ts';
import { findChannelAccount } from '../../db/channels/account.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { cancelScheduledMessage, changeScheduledMessage } from '../../db/operations/move-scheduled-message.ts';
import {
  findKeyedMessage,
  insertScheduledMessage,
  loadScheduledMessage,
  type ScheduledMessageRecord,
  sealScheduledMessage,
} from '../../db/operations/scheduled-messages.ts';
import { refuseUnsendable } from '../../platform/operations/messages.ts';
import { MessageNotAllowed } from '../../platform/operations/native-message.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, InvalidRequest } from '../requests/errors.ts';
import { credentialRefused, disconnected } from '../requests/uncallable.ts';
import { scheduledId } from '../requests/scheduled-id.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';

export interface ScheduleMessage {
  readonly channel: ChannelRecord;
  readonly input: { readonly sendAt: string; readonly message: object };
  readonly idempotencyKey: string | null;
  readonly createdBy: string;
  readonly audit: AuditContext;
}

/** Returns the id. Only stores the message: a worker starts its workflow when it is due. */
export async function scheduleMessage(deps: ApiDeps, request: ScheduleMessage): Promise<string> {
  const { db, secretBox } = deps;
  const { channel, input, idempotencyKey, createdBy, audit } = request;
  const { id: channelId, workspaceId } = channel;
  const identity = {
    channelId,
    // A channel may move: its new workspace must not get the message of its old one.
    requestHash: requestHash({ workspaceId, input }),
    keyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
  };
  // A repeat gets the first answer, even if its time has passed or the channel was disconnected since.
  const known = await findKeyedMessage(db, identity);
  if (known) return scheduledId(known, { tooMany: TOO_MANY });
  const sendAt = requireSendTime(input.sendAt);
  await requireSendable(deps, { channel, message: input.message });
  const scheduled = { ...identity, workspaceId, createdBy, audit, sendAt, message: input.message };
  return scheduledId(await insertScheduledMessage(db, secretBox, scheduled), { tooMany: TOO_MANY });
}

export interface ChangeMessage {
  readonly channel: ChannelRecord;
  readonly message: ScheduledMessageRecord;
  readonly change: { readonly sendAt?: string | undefined; readonly message?: object | undefined };
  readonly audit: AuditContext;
}

export async function changeMessage(deps: ApiDeps, { channel, message, change, audit }: ChangeMessage): Promise<void> {
  const { id, publicId } = message;
  const sendAt = change.sendAt === undefined ? undefined : requireSendTime(change.sendAt);
  if (change.message) await requireSendable(deps, { channel, message: change.message });
  const isChanged = await changeScheduledMessage(deps.db, {
    ...{ id, publicId, audit, sendAt },
    sealed: change.message && sealScheduledMessage(deps.secretBox, { publicId, message: change.message }),
  });
  if (!isChanged) throw await notScheduled(deps, message);
}

/** Cancelling a cancelled message changes nothing. */
export async function cancelMessage(
  deps: ApiDeps,
  { message, audit }: { readonly message: ScheduledMessageRecord; readonly audit: AuditContext },
): Promise<void> {
  const { id, publicId } = message;
  if (await cancelScheduledMessage(deps.db, { id, publicId, audit })) return;
  // Read after the attempt, because another request may have cancelled it meanwhile.
  const status = (await loadScheduledMessage(deps.db, publicId))?.status;
  if (status !== 'cancelled') throw await notScheduled(deps, message);
}

function requireSendTime(text: string): Date {
  const sendAt = new Date(text);
  const aheadMs = sendAt.getTime() - Date.now();
  if (aheadMs < -SEND_CLOCK_SLACK_MS) throw new InvalidRequest('body.sendAt: is in the past.');
  if (aheadMs <= MAX_SEND_AHEAD_MS) return sendAt;
  throw new InvalidRequest(`body.sendAt: is more than ${MAX_SEND_AHEAD_MS / 86_400_000} days ahead.`);
}

async function requireSendable(
  deps: ApiDeps,
  { channel, message }: { readonly channel: ChannelRecord; readonly message: object },
): Promise<void> {
  const account = await findChannelAccount(deps.db, deps.secretBox, channel);
  if (!account) throw disconnected();
  if (account.refusedReason !== null) throw credentialRefused(account.refusedReason);
  try {
    refuseUnsendable(deps.platform.actFor({ ...account, type: channel.type }), message);
  } catch (error) {
    throw error instanceof MessageNotAllowed ? new InvalidRequest(`${error.message}.`) : error;
  }
}

async function notScheduled({ db }: ApiDeps, { publicId, status }: ScheduledMessageRecord): Promise<Conflict> {
  const now = (await loadScheduledMessage(db, publicId))?.status ?? status;
  return new Conflict('MESSAGE_NOT_SCHEDULED', `The message can no longer be changed: it is ${now}.`);
}

const TOO_MANY = `A channel can have at most ${MAX_SCHEDULED_PER_CHANNEL} scheduled messages. Cancel some, or wait until they are sent.`;
