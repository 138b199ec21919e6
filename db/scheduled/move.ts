import type { Knex } from 'knex';
import { raw } from 'objection';
import type { PlatformRefusalCode } from '../../contract/errors.ts';
import {
  endedScheduledStatuses,
  type ScheduledReason,
  type ScheduledStatus,
  scheduledStatusesBefore,
} from '../../contract/scheduled/scheduled.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { queryRows } from '../core/query-rows.ts';
import { requestStarts } from '../core/request-start.ts';
import { ScheduledModel } from '../models/scheduled.ts';
import { type ContentColumns, scheduledAction, type ScheduledRecord } from './records.ts';

export interface ScheduledMove {
  readonly id: number;
  readonly to: ScheduledStatus;
  /** Optional. Further restricts the statuses that the transition table allows. */
  readonly from?: readonly ScheduledStatus[];
  readonly reason?: ScheduledReason;
  readonly detail?: string | null;
  /** Optional. What the platform's refusal means. */
  readonly refusalCode?: PlatformRefusalCode;
  /** Optional. Not stored once the message has been erased. */
  readonly platformMessageId?: string | null;
  /** Optional. The media container of a post that starts. */
  readonly containerPublicId?: string;
  /** Optional. When its workflow acts next. */
  readonly actAt?: Date;
  /** Optional. When it was to act, as read before: a change that came in between wins. Default: any time. */
  readonly dueAtRead?: Date;
}

/** Changes nothing and returns false if another move came first. The content is erased with the end. */
export async function moveScheduled(db: Knex, move: ScheduledMove): Promise<boolean> {
  const { id, to, from, reason = null, detail = null, refusalCode = null, platformMessageId } = move;
  const { containerPublicId, actAt, dueAtRead } = move;
  const allowed = scheduledStatusesBefore(to).filter((status) => from === undefined || from.includes(status));
  const count = await ScheduledModel.query(db)
    .where({ id, ...(dueAtRead && { due_at: dueAtRead }) })
    .whereIn('status', allowed)
    .patch({
      status: to,
      reason,
      statusDetail: detail,
      refusalCode,
      ...(actAt && { actAt }),
      ...(containerPublicId !== undefined && { containerPublicId }),
      ...(endedScheduledStatuses.includes(to) && {
        endedAt: raw('clock_timestamp()'),
        messageEncrypted: null,
        input: null,
      }),
      ...(platformMessageId !== undefined && {
        // Every message has a recipient until it is erased.
        platformMessageId: raw('case when recipient_hash is not null then ?::text end', platformMessageId),
      }),
    });
  return count === 1;
}

type Scheduled = Pick<ScheduledRecord, 'id' | 'publicId' | 'kind'>;

interface ScheduledChange {
  readonly dueAt: Date | undefined;
  readonly content: ContentColumns | undefined;
  readonly audit: AuditContext;
}

/** Returns false once the send or the start has begun. */
export async function changeScheduled(
  db: Knex,
  { id, publicId, kind }: Scheduled,
  { dueAt, content, audit }: ScheduledChange,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const count = await ScheduledModel.query(trx)
      .where({ id, status: 'scheduled' })
      .patch({
        ...(dueAt && { dueAt, actAt: dueAt, attempts: 0, statusDetail: null }),
        ...content,
      });
    if (count === 0) return false;
    await recordAudit(trx, { ...audit, action: scheduledAction(kind, 'changed'), targetId: publicId });
    if (dueAt) await requestStarts(trx, { type: 'carryScheduled', subjectIds: [publicId] });
    return true;
  });
}

/** Returns false once the send or the start has begun. */
export async function cancelScheduled(
  db: Knex,
  { id, publicId, kind }: Scheduled,
  audit: AuditContext,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const isCancelled = await moveScheduled(trx, { id, to: 'cancelled' });
    if (!isCancelled) return false;
    await recordAudit(trx, { ...audit, action: scheduledAction(kind, 'cancelled'), targetId: publicId });
    await requestStarts(trx, { type: 'carryScheduled', subjectIds: [publicId] });
    return true;
  });
}

/**
 * After a restore, those that were due may have gone since the backup, and the others may have no workflow. Returns the
 * numbers of those that ended.
 */
export async function endRestored(db: Knex): Promise<{ readonly messages: number; readonly posts: number }> {
  return await db.transaction(async (trx) => {
    const ended = await queryRows<Pick<ScheduledRecord, 'kind' | 'publicId'>>(
      trx,
      `update scheduled set status = case kind when 'message' then 'unknown' else 'failed' end, reason = 'restored',
       status_detail = case kind
         when 'message' then 'The database was restored after its time: it may have been sent. Look at the conversation.'
         else 'The database was restored after its time: it may have been published. Look at the account.' end,
       ended_at = clock_timestamp(), message_encrypted = null, input = null
     where status = 'sending' or status = 'scheduled' and due_at <= clock_timestamp() returning kind, public_id as "publicId"`,
    );
    const waiting = await ScheduledModel.query(trx).select('public_id').where({ status: 'scheduled' });
    const subjectIds = [...ended, ...waiting].map(({ publicId }) => publicId);
    await requestStarts(trx, { type: 'carryScheduled', subjectIds });
    const messages = ended.filter(({ kind }) => kind === 'message').length;
    return { messages, posts: ended.length - messages };
  });
}
