import {
  MAX_PUBLISH_AHEAD_MS,
  MAX_SCHEDULED_POSTS_PER_CHANNEL,
  PUBLISH_CLOCK_SLACK_MS,
} from '../../contract/containers/scheduled-post.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import {
  cancelScheduledPost,
  changeScheduledPost,
  findKeyedPost,
  findScheduledPost,
  insertScheduledPost,
  listScheduledPosts,
  type NewScheduledPost,
  type ScheduledPostRecord,
} from '../../db/containers/scheduled-posts.ts';
import { scheduledPostRoutes as routes } from '../../openapi/containers/scheduled-post-routes.ts';
import type { ScheduledPostBody, ScheduledPostInput } from '../../openapi/containers/scheduled-post-schema.ts';
import { auditContext } from '../access/audit-context.ts';
import { Conflict, InvalidRequest, NotFound } from '../requests/errors.ts';
import { scheduledId } from '../requests/scheduled-id.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { readPage } from '../routing/page.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import { uncallable } from '../requests/uncallable.ts';

/** The routes only write rows: a worker starts the container of a post that is due. */
export function mountScheduledPostRoutes(mount: Mount): void {
  const { db } = mount.deps;

  mountOperation(mount, routes.schedulePost, async (request) => {
    const { channel, body, idempotencyKey, principal, setHeader } = request;
    const identity = {
      channelId: channel.id,
      // A channel may move: its new workspace must not get the post of its old one.
      requestHash: requestHash({ workspaceId: channel.workspaceId, body }),
      keyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
    };
    // A repeat gets the first answer, even if its time has passed or the channel was disconnected since.
    const outcome =
      (await findKeyedPost(db, identity)) ??
      (await insertScheduledPost(db, {
        ...{ ...identity, workspaceId: channel.workspaceId, createdBy: principal.credentialId },
        ...{ ...requirePublishable(channel, body), audit: auditContext(request) },
      }));
    const publicId = scheduledId(outcome, { tooMany: TOO_MANY });
    setHeader('location', `/channels/${channel.publicId}/photoapp/scheduled-posts/${publicId}`);
    return present(await findOne(channel, publicId));
  });

  mountOperation(mount, routes.listScheduledPosts, async ({ channel, query }) => {
    const { status, cursor: after } = query;
    const page = await readPage(query.limit, {
      read: (limit) => listScheduledPosts(db, { ...placeOf(channel), status, after, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    return { scheduledPosts: page.items.map(present), nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getScheduledPost, async ({ channel, params }) => {
    return present(await findOne(channel, params.sp));
  });

  mountOperation(mount, routes.changeScheduledPost, async (request) => {
    const { channel, params, body } = request;
    const { id, publicId } = await findOne(channel, params.sp);
    const publishAt = body.publishAt === undefined ? undefined : requirePublishTime(body.publishAt);
    const change = { id, publicId, publishAt, input: body.container, audit: auditContext(request) };
    const isChanged = await changeScheduledPost(db, change);
    const post = await findOne(channel, params.sp);
    if (!isChanged) throw notScheduled(post);
    return present(post);
  });

  /** Cancelling a cancelled post changes nothing. */
  mountOperation(mount, routes.cancelScheduledPost, async (request) => {
    const { channel, params } = request;
    const { id, publicId } = await findOne(channel, params.sp);
    await cancelScheduledPost(db, { id, publicId, audit: auditContext(request) });
    const post = await findOne(channel, params.sp);
    if (post.status !== 'cancelled') throw notScheduled(post);
    return present(post);
  });

  async function findOne(channel: ChannelRecord, publicId: string): Promise<ScheduledPostRecord> {
    const post = await findScheduledPost(db, { ...placeOf(channel), publicId });
    if (!post) throw new NotFound('SCHEDULED_POST_NOT_FOUND');
    return post;
  }
}

/** Posts of an earlier workspace are visible only there. */
function placeOf({ id, workspaceId }: ChannelRecord) {
  return { channelId: id, workspaceId };
}

function requirePublishable(
  channel: ChannelRecord,
  { publishAt, container }: ScheduledPostInput,
): Pick<NewScheduledPost, 'publishAt' | 'input'> {
  if (channel.type !== 'photoapp') {
    throw new Conflict('CHANNEL_TYPE_MISMATCH', `Scheduled posts are for photoapp channels; this is ${channel.type}.`);
  }
  const refusal = uncallable(channel);
  if (refusal) throw refusal;
  return { publishAt: requirePublishTime(publishAt), input: container };
}

function requirePublishTime(text: string): Date {
  const publishAt = new Date(text);
  const aheadMs = publishAt.getTime() - Date.now();
  if (aheadMs < -PUBLISH_CLOCK_SLACK_MS) throw new InvalidRequest('body.publishAt: is in the past.');
  if (aheadMs <= MAX_PUBLISH_AHEAD_MS) return publishAt;
  throw new InvalidRequest(`body.publishAt: is more than ${MAX_PUBLISH_AHEAD_MS / 86_400_000} days ahead.`);
}

function notScheduled({ status }: ScheduledPostRecord): Conflict {
  return new Conflict('POST_NOT_SCHEDULED', `The post can no longer be changed: it is ${status}.`);
}

function present(post: ScheduledPostRecord): ScheduledPostBody {
  return {
    scheduledPostId: post.publicId,
    channelId: post.channelPublicId,
    publishAt: post.publishAt.toISOString(),
    status: post.status,
    reason: post.reason,
    statusDetail: post.statusDetail,
    containerId: post.status === 'started' ? post.containerPublicId : null,
    container: post.input && { ...post.input },
    createdBy: post.createdBy,
    createdAt: post.createdAt.toISOString(),
    endedAt: post.endedAt?.toISOString() ?? null,
  };
}

const TOO_MANY = `A channel can have at most ${MAX_SCHEDULED_POSTS_PER_CHANNEL} scheduled posts. Cancel some, or wait until they start.`;
