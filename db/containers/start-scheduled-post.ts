import type { Knex } from 'knex';
import { MAX_PUBLISH_DELAY_MS, type ScheduledPostReason } from '../../contract/containers/scheduled-post.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { queryRows } from '../core/query-rows.ts';
import { insertContainer } from './containers.ts';
import type { ContainerRecord } from './records.ts';

interface DuePost {
  readonly id: number;
  readonly publicId: string;
  readonly channelId: number;
  readonly workspaceId: number;
  readonly input: ContainerInput;
  readonly requestHash: Buffer;
  readonly isLate: boolean;
  readonly refusedReason: string | null;
  readonly isMoved: boolean;
  readonly isDisconnected: boolean;
}

export interface StartedPost {
  readonly publicId: string;
  /** Undefined if the post failed. */
  readonly container: ContainerRecord | undefined;
}

/**
 * Turns the next post that is due into a media container. Both change in one transaction, so that a post has one
 * container even if two workers try, or one is killed. Returns undefined if no post is due.
 */
export async function startDuePost(db: Knex): Promise<StartedPost | undefined> {
  return await db.transaction(async (trx) => {
    const [post] = await queryRows<DuePost>(trx, dueSql, { maxDelayMs: MAX_PUBLISH_DELAY_MS });
    if (!post) return undefined;
    const { id, publicId, channelId, workspaceId, input, requestHash } = post;
    const refusal = refusalOf(post);
    if (refusal) {
      await trx.raw(endSql, { id, reason: refusal[0], detail: refusal[1] });
      return { publicId, container: undefined };
    }
    const request = { ...input, autoPublish: true };
    const inserted = await insertContainer(trx, { channelId, workspaceId, request, requestHash, idempotency: null });
    await trx.raw(
      `update scheduled_posts set status = 'started', container_public_id = :container, status_detail = null
       where id = :id and status = 'scheduled'`,
      { id, container: inserted.container.publicId },
    );
    return { publicId, container: inserted.container };
  });
}

/** `now()`, because an index has no use for the volatile `clock_timestamp()`. */
const dueSql = `
select p.id, p.public_id as "publicId", p.channel_id as "channelId", p.workspace_id as "workspaceId", p.input,
  p.request_hash as "requestHash",
  p.publish_at <= clock_timestamp() - :maxDelayMs * interval '1 millisecond' as "isLate",
  k.refused_reason as "refusedReason", c.workspace_id <> p.workspace_id as "isMoved", c.disconnected_at is not null as "isDisconnected"
from scheduled_posts p join channels c on c.id = p.channel_id join connection_credentials k on k.id = c.credential_id
where p.status = 'scheduled' and p.next_start_at <= now()
  -- Until it is late, a post waits for its account to be connected again.
  and (k.refused_at is null or c.disconnected_at is not null or c.workspace_id <> p.workspace_id
    or p.publish_at <= clock_timestamp() - :maxDelayMs * interval '1 millisecond')
order by p.next_start_at limit 1 for update of p skip locked`;

const endSql = `
update scheduled_posts set status = 'failed', reason = :reason, status_detail = :detail, ended_at = clock_timestamp(),
  input = null
where id = :id and status = 'scheduled'`;

function refusalOf(post: DuePost): readonly [ScheduledPostReason, string] | undefined {
  const { isLate, isMoved, isDisconnected, refusedReason } = post;
  if (isLate)
    return ['too_late', `Not published: its time passed more than an hour ago. ${refusedReason ?? ''}`.trim()];
  if (isMoved) return ['channel_moved', 'Not published: the channel has moved to another workspace.'];
  return isDisconnected ? ['channel_disconnected', 'Not published: the channel is disconnected.'] : undefined;
}

const RETRY_MS = 30_000;
const RESCHEDULED_AT_ONCE = 100;

/**
 * Schedules posts again whose container was given up before anything was sent to the platform, for example because
 * Temporal was unavailable. Posts whose texts were erased since are not repeated. Returns the ids.
 */
export async function rescheduleUnsentPosts(db: Knex): Promise<string[]> {
  const rows = await queryRows<{ publicId: string }>(
    db,
    `update scheduled_posts set status = 'scheduled', status_detail = :detail,
       next_start_at = clock_timestamp() + :retryMs * interval '1 millisecond'
     from (
       select p.id, p.container_public_id as container
       from scheduled_posts p join media_containers m on m.public_id = p.container_public_id
       where p.status = 'started' and m.status = 'error' and p.next_start_at <> 'infinity' and ${unsentSql}
         and p.publish_at > now() - :maxDelayMs * interval '1 millisecond'
       order by p.publish_at limit :limit
     ) unsent
     where scheduled_posts.id = unsent.id and status = 'started' and container_public_id = unsent.container
       and next_start_at <> 'infinity'
     returning public_id as "publicId"`,
    { detail: UNSENT, retryMs: RETRY_MS, maxDelayMs: MAX_PUBLISH_DELAY_MS, limit: RESCHEDULED_AT_ONCE },
  );
  return rows.map(({ publicId }) => publicId);
}

/** True for a container `m` in error whose acceptance is `not_sent`. A carousel waits for its children only. */
const unsentSql = `exists (
         select 1 from container_parts c where c.container_id = m.id and (c.position = 0) = (m.child_count = 0)
         having bool_or(c.outcome = 'not_sent') and not coalesce(bool_or(c.outcome in ('rejected', 'lost')), false))`;
const UNSENT = 'Not published yet: its container was not sent to the platform.';

/** After a restore, a post whose time has come may have been published since the backup. Returns the number of posts. */
export async function endRestoredPosts(db: Knex): Promise<number> {
  const ended = await queryRows(
    db,
    `update scheduled_posts set status = 'failed', reason = 'restored', ended_at = clock_timestamp(), input = null,
       status_detail = 'The database was restored after its time: it may have been published. Look at the account.'
     where status = 'scheduled' and publish_at <= clock_timestamp() returning id`,
  );
  return ended.length;
}
