import type { Knex } from 'knex';
import { MAX_DELAY_MS, type ScheduledReason } from '../../contract/scheduled/scheduled.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { insertContainer } from '../containers/containers.ts';
import { type ContainerRecord, loadContainer } from '../containers/records.ts';
import { queryRows } from '../core/query-rows.ts';
import { failLate } from './due.ts';
import { moveScheduled } from './move.ts';
import type { ScheduledModel } from '../models/scheduled.ts';
import type { Columns } from '../core/model.ts';

interface DuePost extends Columns<ScheduledModel, 'channelId' | 'workspaceId' | 'dueAt' | 'requestHash'> {
  readonly input: ContainerInput;
  readonly refusedReason: string | null;
  readonly isMoved: boolean;
  readonly isDisconnected: boolean;
}

const RETRY_MS = 30_000;
/** Between looks at a container that the platform has not taken yet. */
const FOLLOW_MS = 15_000;

/**
 * Turns a post that is due into a media container. Both change in one transaction, so that a post has one container even
 * if two workers try, or one is killed. Returns undefined if the post does not start.
 */
export async function startDuePost(db: Knex, { id }: { readonly id: number }): Promise<ContainerRecord | undefined> {
  return await db.transaction(async (trx) => {
    const [post] = await queryRows<DuePost>(trx, dueSql, { id });
    if (!post || (await failLate(trx, { id, detail: `${LATE} ${post.refusedReason ?? ''}`.trim() }))) return undefined;
    const { channelId, workspaceId, dueAt, input, requestHash, refusedReason } = post;
    const refusal = refusalOf(post);
    if (refusal) {
      await moveScheduled(trx, { id, to: 'failed', from: ['scheduled'], reason: refusal[0], detail: refusal[1] });
      return undefined;
    }
    if (refusedReason !== null) {
      await postponePost(trx, { id, dueAt, detail: `Not published yet: ${refusedReason}` });
      return undefined;
    }
    const { container } = await insertContainer(trx, {
      channelId,
      workspaceId,
      request: { ...input, autoPublish: true },
      requestHash,
      idempotency: null,
      createBy: new Date(dueAt.getTime() + MAX_DELAY_MS),
    });
    const actAt = new Date(Date.now() + FOLLOW_MS);
    await moveScheduled(trx, { id, to: 'started', from: ['scheduled'], containerPublicId: container.publicId, actAt });
    return container;
  });
}

const dueSql = `
select s.channel_id as "channelId", s.workspace_id as "workspaceId", s.due_at as "dueAt", s.input,
  s.request_hash as "requestHash", k.refused_reason as "refusedReason", c.workspace_id <> s.workspace_id as "isMoved",
  c.disconnected_at is not null as "isDisconnected"
from scheduled s join channels c on c.id = s.channel_id join connection_credentials k on k.id = c.credential_id
where s.id = :id and s.kind = 'post' and s.status = 'scheduled' and s.act_at <= clock_timestamp()
for update of s`;

function refusalOf({ isMoved, isDisconnected }: DuePost): readonly [ScheduledReason, string] | undefined {
  if (isMoved) return ['channel_moved', 'Not published: the channel has moved to another workspace.'];
  return isDisconnected ? ['channel_disconnected', 'Not published: the channel is disconnected.'] : undefined;
}

const LATE = 'Not published: its time passed more than an hour ago.';
const UNSENT = 'Not published yet: its container was not sent to the platform.';

/** At the latest, the post is due again when it is too late, so that it ends. */
async function postponePost(
  db: Knex,
  { id, dueAt, detail }: { readonly id: number; readonly dueAt: Date; readonly detail: string },
): Promise<void> {
  const actAt = new Date(Math.min(Date.now() + RETRY_MS, dueAt.getTime() + MAX_DELAY_MS));
  await moveScheduled(db, { id, to: 'scheduled', detail, actAt });
}

interface StartedPost {
  readonly id: number;
  readonly containerPublicId: string | null;
  readonly dueAt: Date;
}

/**
 * Follows the container of a started post until the platform has taken it. Schedules the post again if the container was
 * given up before anything was sent, unless the texts of the post were erased since. Returns a container whose workflow
 * should run.
 */
export async function followPost(db: Knex, post: StartedPost): Promise<ContainerRecord | undefined> {
  const { id, containerPublicId, dueAt } = post;
  const container = containerPublicId === null ? undefined : await loadContainer(db, containerPublicId);
  const isLate = Date.now() >= dueAt.getTime() + MAX_DELAY_MS;
  const isCreating = container?.status === 'creating' && !isLate;
  if (container?.status === 'error' && !isLate && (await repeatUnsent(db, { id, dueAt, containerId: container.id }))) {
    return undefined;
  }
  await db('scheduled')
    .where({ id, status: 'started' })
    .whereNot({ act_at: 'infinity' })
    .update({ act_at: isCreating ? new Date(Date.now() + FOLLOW_MS) : 'infinity' });
  return isCreating ? container : undefined;
}

/** The lock keeps another start from being undone. */
async function repeatUnsent(
  db: Knex,
  { id, dueAt, containerId }: { readonly id: number; readonly dueAt: Date; readonly containerId: number },
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    const [unsent] = await queryRows(trx, unsentSql, { id, containerId });
    if (unsent) await postponePost(trx, { id, dueAt, detail: UNSENT });
    return unsent !== undefined;
  });
}

/** A row if the acceptance of a container in error is `not_sent`. A carousel waits for its children only. */
const unsentSql = `
select s.id from scheduled s join media_containers m on m.public_id = s.container_public_id
where s.id = :id and s.status = 'started' and s.act_at <> 'infinity' and m.id = :containerId and exists (
  select 1 from container_parts c where c.container_id = m.id and (c.position = 0) = (m.child_count = 0)
  having bool_or(c.outcome = 'not_sent') and not coalesce(bool_or(c.outcome in ('rejected', 'lost')), false))
for update of s`;
