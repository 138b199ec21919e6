import type { Knex } from 'knex';
import {
  MAX_SEND_DELAY_MS,
  scheduledMessageStatusesBefore,
  type ScheduledMessageStanding,
  SEND_DEADLINE_MS,
  START_AHEAD_MS,
  START_HOLD_MS,
  type StartedScheduledMessage,
} from '../../contract/operations/scheduled-message.ts';
import { queryRows } from '../core/query-rows.ts';

/**
 * Claims messages that are due within seconds, and sends whose outcome was never recorded. A message whose workflow is
 * lost is claimed again after `START_HOLD_MS`. Compares with `now()`: an index has no use for the volatile clock.
 */
export async function claimDueStarts(
  db: Knex,
  { limit }: { readonly limit: number },
): Promise<StartedScheduledMessage[]> {
  return await queryRows<StartedScheduledMessage>(
    db,
    `update scheduled_messages m set next_start_at = clock_timestamp() + :holdMs * interval '1 millisecond'
     from channels c, workspaces w
     where c.id = m.channel_id and w.id = m.workspace_id and m.id in (
       select id from scheduled_messages
       where ended_at is null and next_start_at <= now() + :aheadMs * interval '1 millisecond'
       order by next_start_at limit :limit for update skip locked)
     returning m.public_id as "scheduledMessageId", c.public_id as "channelId", w.public_id as "workspaceId"`,
    { limit, holdMs: START_HOLD_MS, aheadMs: START_AHEAD_MS },
  );
}

/** Longer than a run needs to close, so that the next start does not join it. */
const RELEASE_MS = 5_000;

/** Lets the message be claimed again as soon as it is due. Does nothing once its send has begun. */
export async function releaseStart(db: Knex, { publicId }: { readonly publicId: string }): Promise<void> {
  await queryRows(
    db,
    `update scheduled_messages
     set next_start_at = greatest(next_attempt_at, clock_timestamp() + :delayMs * interval '1 millisecond')
     where public_id = :publicId and status = 'scheduled'`,
    { publicId, delayMs: START_AHEAD_MS + RELEASE_MS },
  );
}

/** Returns undefined if the message does not exist. */
export async function readStanding(
  db: Knex,
  { publicId }: { readonly publicId: string },
): Promise<ScheduledMessageStanding | undefined> {
  const [standing] = await queryRows<ScheduledMessageStanding>(
    db,
    `select status, case when status = 'scheduled' then
       greatest(ceil(extract(epoch from next_attempt_at - clock_timestamp()) * 1000), 0)::float8 end as "waitMs"
     from scheduled_messages where public_id = :publicId`,
    { publicId },
  );
  return standing;
}

/**
 * Claims the only call of a message that is due, so that exactly one caller sends it. Returns its sealed content, or
 * undefined if it was moved, ended or is not due.
 */
export async function takeDueMessage(db: Knex, { id }: { readonly id: number }): Promise<string | undefined> {
  const [taken] = await queryRows<{ sealed: string }>(
    db,
    `update scheduled_messages set status = 'sending', attempts = attempts + 1, sent_at = clock_timestamp(),
       next_start_at = clock_timestamp() + :deadlineMs * interval '1 millisecond'
     where id = :id and status = any (:from) and next_attempt_at <= clock_timestamp()
       and send_at > clock_timestamp() - :maxDelayMs * interval '1 millisecond'
     returning message_encrypted as sealed`,
    {
      id,
      from: scheduledMessageStatusesBefore('sending'),
      deadlineMs: SEND_DEADLINE_MS,
      maxDelayMs: MAX_SEND_DELAY_MS,
    },
  );
  return taken?.sealed;
}

/** Ends a message whose time passed too long ago. */
export async function failLateMessage(db: Knex, { id }: { readonly id: number }): Promise<boolean> {
  const ended = await queryRows(
    db,
    `update scheduled_messages set status = 'failed', reason = 'too_late', ended_at = clock_timestamp(),
       status_detail = coalesce(status_detail, :detail), message_encrypted = null
     where id = :id and status = 'scheduled'
       and send_at <= clock_timestamp() - :maxDelayMs * interval '1 millisecond'
     returning id`,
    { id, detail: 'Not sent: its time passed more than an hour ago.', maxDelayMs: MAX_SEND_DELAY_MS },
  );
  return ended.length === 1;
}

/** Ends a claimed message without an outcome whose call can no longer run. */
export async function endLostSend(
  db: Knex,
  { id, detail }: { readonly id: number; readonly detail: string },
): Promise<void> {
  await queryRows(
    db,
    `update scheduled_messages set status = 'unknown', reason = 'outcome_unknown', ended_at = clock_timestamp(),
       status_detail = :detail, message_encrypted = null
     where id = :id and status = 'sending'
       and sent_at <= clock_timestamp() - :deadlineMs * interval '1 millisecond'`,
    { id, detail, deadlineMs: SEND_DEADLINE_MS },
  );
}
