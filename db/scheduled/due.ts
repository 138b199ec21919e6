import type { Knex } from 'knex';
import {
  MAX_DELAY_MS,
  type ScheduledStanding,
  type ScheduledStart,
  SEND_DEADLINE_MS,
  scheduledStatusesBefore,
} from '../../contract/scheduled/scheduled.ts';
import { queryRows } from '../core/query-rows.ts';

/** Returns what its workflow is started with. Undefined: it was deleted. */
export async function findScheduledStart(db: Knex, publicId: string): Promise<ScheduledStart | undefined> {
  const [start] = await queryRows<ScheduledStart>(
    db,
    `select s.public_id as "scheduledId", c.public_id as "channelId", w.public_id as "workspaceId",
       case when s.ended_at is null then ceil(extract(epoch from s.act_at) * 1000)::float8 end as "dueAtMs"
     from scheduled s join channels c on c.id = s.channel_id join workspaces w on w.id = s.workspace_id
     where s.public_id = :publicId`,
    { publicId },
  );
  return start;
}

export async function readStanding(db: Knex, { id }: { readonly id: number }): Promise<ScheduledStanding> {
  const [standing] = await queryRows<ScheduledStanding>(
    db,
    `select status, case when ended_at is null and act_at <> 'infinity' then
       greatest(ceil(extract(epoch from act_at - clock_timestamp()) * 1000), 0)::float8 end as "waitMs"
     from scheduled where id = :id`,
    { id },
  );
  return standing!;
}

/**
 * Claims the only call of a message that is due, so that exactly one caller sends it. Returns its sealed content, or
 * undefined if it was moved, ended or is not due.
 */
export async function takeDueMessage(db: Knex, { id }: { readonly id: number }): Promise<string | undefined> {
  const [taken] = await queryRows<{ sealed: string }>(
    db,
    `update scheduled set status = 'sending', attempts = attempts + 1,
       act_at = clock_timestamp() + :deadlineMs * interval '1 millisecond'
     where id = :id and status = any (:from) and kind = 'message' and act_at <= clock_timestamp()
       and due_at > clock_timestamp() - :maxDelayMs * interval '1 millisecond'
     returning message_encrypted as sealed`,
    { id, from: scheduledStatusesBefore('sending'), deadlineMs: SEND_DEADLINE_MS, maxDelayMs: MAX_DELAY_MS },
  );
  return taken?.sealed;
}

/** Ends a message or a post that was not sent or started within an hour of its time. */
export async function failLate(
  db: Knex,
  { id, detail }: { readonly id: number; readonly detail: string },
): Promise<boolean> {
  const ended = await queryRows(
    db,
    `update scheduled set status = 'failed', reason = 'too_late', ended_at = clock_timestamp(),
       status_detail = :detail, message_encrypted = null, input = null
     where id = :id and status = 'scheduled' and due_at <= clock_timestamp() - :maxDelayMs * interval '1 millisecond'
     returning id`,
    { id, detail, maxDelayMs: MAX_DELAY_MS },
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
    `update scheduled set status = 'unknown', reason = 'outcome_unknown', ended_at = clock_timestamp(),
       status_detail = :detail, message_encrypted = null
     where id = :id and status = 'sending' and act_at <= clock_timestamp()`,
    { id, detail },
  );
}
