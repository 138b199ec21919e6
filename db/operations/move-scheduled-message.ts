import type { Knex } from 'knex';
import { type PartialModelObject, raw } from 'objection';
import {
  endedScheduledMessageStatuses,
  type ScheduledMessageReason,
  type ScheduledMessageStatus,
  scheduledMessageStatusesBefore,
} from '../../contract/operations/scheduled-message.ts';
import type { PlatformRefusalCode } from '../../contract/errors.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import { ScheduledMessageModel } from '../models/scheduled-message.ts';
import type { SealedMessage } from './scheduled-messages.ts';

export interface ScheduledMessageMove {
  readonly id: number;
  readonly to: ScheduledMessageStatus;
  /** Optional. Further restricts the statuses that the transition table allows. */
  readonly from?: readonly ScheduledMessageStatus[];
  readonly reason?: ScheduledMessageReason;
  readonly detail?: string | null;
  /** Optional. What the platform's refusal means. */
  readonly refusalCode?: PlatformRefusalCode;
  /** Optional. Not stored once the message has been erased. */
  readonly platformMessageId?: string | null;
  readonly set?: PartialModelObject<ScheduledMessageModel>;
}

/** Changes nothing and returns false if another move came first. The content is erased with the end. */
export async function moveScheduledMessage(db: Knex, move: ScheduledMessageMove): Promise<boolean> {
  const { id, to, from, reason = null, detail = null, refusalCode = null, platformMessageId, set } = move;
  const allowed = scheduledMessageStatusesBefore(to).filter((status) => from === undefined || from.includes(status));
  const hasEnded = endedScheduledMessageStatuses.includes(to);
  const count = await ScheduledMessageModel.query(db)
    .where({ id })
    .whereIn('status', allowed)
    .patch({
      status: to,
      reason,
      statusDetail: detail,
      refusalCode,
      ...(hasEnded && { endedAt: raw('clock_timestamp()'), messageEncrypted: null }),
      ...(platformMessageId !== undefined && {
        // Every message has a recipient until it is erased.
        platformMessageId: raw('case when recipient_hash is not null then ?::text end', platformMessageId),
      }),
      ...set,
    });
  return count === 1;
}

export interface ScheduledMessageChange {
  readonly id: number;
  readonly sendAt: Date | undefined;
  readonly sealed: SealedMessage | undefined;
  readonly audit: AuditContext;
  readonly publicId: string;
}

/** Returns false once the send has begun. */
export async function changeScheduledMessage(db: Knex, change: ScheduledMessageChange): Promise<boolean> {
  const { id, publicId, sendAt, sealed, audit } = change;
  return await db.transaction(async (trx) => {
    const count = await ScheduledMessageModel.query(trx)
      .where({ id, status: 'scheduled' })
      .patch({
        ...(sendAt && { sendAt, nextAttemptAt: sendAt, nextStartAt: sendAt, attempts: 0, statusDetail: null }),
        ...sealed,
      });
    if (count === 1) await recordAudit(trx, { ...audit, action: 'scheduledMessage.changed', targetId: publicId });
    return count === 1;
  });
}

/** Returns false once the send has begun. */
export async function cancelScheduledMessage(
  db: Knex,
  { id, publicId, audit }: { readonly id: number; readonly publicId: string; readonly audit: AuditContext },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const isCancelled = await moveScheduledMessage(trx, { id, to: 'cancelled' });
    if (isCancelled) await recordAudit(trx, { ...audit, action: 'scheduledMessage.cancelled', targetId: publicId });
    return isCancelled;
  });
}

/** After a restore, a message whose time has come may have gone since the backup. Returns the number of messages. */
export async function endRestoredMessages(db: Knex): Promise<number> {
  return await ScheduledMessageModel.query(db)
    .whereIn('status', scheduledMessageStatusesBefore('unknown'))
    .whereRaw(`(status = 'sending' or send_at <= clock_timestamp())`)
    .patch({
      status: 'unknown',
      reason: 'restored',
      statusDetail: 'The database was restored after its time: it may have been sent. Look at the conversation.',
      endedAt: raw('clock_timestamp()'),
      messageEncrypted: null,
    });
}
