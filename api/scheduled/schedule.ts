import { CLOCK_SLACK_MS, MAX_AHEAD_MS, MAX_SCHEDULED_PER_CHANNEL } from '../../contract/scheduled/scheduled.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { cancelScheduled, changeScheduled } from '../../db/scheduled/move.ts';
import {
  contentColumns,
  findKeyed,
  findScheduled,
  insertScheduled,
  listScheduled,
  type ScheduledContent,
  type ScheduledPage,
  type ScheduledRecord,
  type ScheduleOutcome,
} from '../../db/scheduled/records.ts';
import { auditContext, type AuditedRequest } from '../access/audit-context.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, InvalidRequest, KeyReused, NotFound } from '../requests/errors.ts';
import { type PageQuery, readNamedPage } from '../routing/page.ts';
import { keyHash, requestHash } from '../routing/request-hash.ts';
import type { KindOfScheduled } from './kinds.ts';

interface ScheduledRequest extends AuditedRequest {
  readonly channel: ChannelRecord;
}

interface NewRequest extends ScheduledRequest {
  readonly body: object;
  readonly idempotencyKey: string | null;
  readonly setHeader: (name: string, value: string) => void;
}

/** The routes only write rows: a worker starts the workflows, and tells them of changes. */
export function scheduledOf<Kind extends ScheduledContent['kind'], Body>(
  deps: ApiDeps,
  of: KindOfScheduled<Kind, Body>,
) {
  type Content = Parameters<typeof of.requireCallable>[1]['content'];
  const { db, secretBox } = deps;
  const { kind } = of;
  // TypeScript can't correlate the kind with its content.
  const asContent = (content: Content) => ({ kind, content }) as unknown as ScheduledContent;

  return {
    async schedule(request: NewRequest, { time, content }: { time: string; content: Content }): Promise<Body> {
      const { channel, body, idempotencyKey, principal, setHeader } = request;
      const { id: channelId, workspaceId } = channel;
      const identity = {
        // A channel may move: its new workspace must not get what was scheduled in its old one.
        requestHash: requestHash({ workspaceId, body }),
        keyHash: idempotencyKey === null ? null : keyHash(idempotencyKey),
      };
      // A repeat gets the first answer, even if its time has passed or the channel was disconnected since.
      let outcome = await findKeyed(db, { kind, channelId, ...identity });
      if (!outcome) {
        const dueAt = requireTime(time);
        await of.requireCallable(deps, { channel, content, isNew: true });
        const place = { channelId, workspaceId, createdBy: principal.credentialId, audit: auditContext(request) };
        outcome = await insertScheduled(db, secretBox, { ...identity, ...place, dueAt, ...asContent(content) });
      }
      const publicId = requireId(outcome);
      setHeader('location', `/channels/${channel.publicId}/${of.path}/${publicId}`);
      return of.present(deps, await findOne(channel, publicId));
    },

    async list(channel: ChannelRecord, query: Pick<ScheduledPage, 'status'> & PageQuery) {
      const page = await readNamedPage(query, 'publicId', (after) =>
        listScheduled(db, { ...placeOf(channel), status: query.status, ...after }),
      );
      return { ...page, items: page.items.map((one) => of.present(deps, one)) };
    },

    get: async (channel: ChannelRecord, publicId: string): Promise<Body> =>
      of.present(deps, await findOne(channel, publicId)),

    async change(
      request: ScheduledRequest,
      publicId: string,
      { time, content }: { time: string | undefined; content: Content | undefined },
    ): Promise<Body> {
      const { channel } = request;
      const scheduled = await findOne(channel, publicId);
      const dueAt = time === undefined ? undefined : requireTime(time);
      if (content) await of.requireCallable(deps, { channel, content, isNew: false });
      const columns = content && contentColumns(secretBox, { publicId, ...asContent(content) });
      const change = { dueAt, content: columns, audit: auditContext(request) };
      const isChanged = await changeScheduled(db, scheduled, change);
      const now = await findOne(channel, publicId);
      if (!isChanged) throw notScheduled(now);
      return of.present(deps, now);
    },

    /** Cancelling again changes nothing. */
    async cancel(request: ScheduledRequest, publicId: string): Promise<Body> {
      const { channel } = request;
      await cancelScheduled(db, await findOne(channel, publicId), auditContext(request));
      const now = await findOne(channel, publicId);
      if (now.status !== 'cancelled') throw notScheduled(now);
      return of.present(deps, now);
    },
  };

  /** What was scheduled in an earlier workspace is visible only there. */
  function placeOf({ id, workspaceId }: ChannelRecord) {
    return { kind, channelId: id, workspaceId };
  }

  async function findOne(channel: ChannelRecord, publicId: string): Promise<ScheduledRecord> {
    const scheduled = await findScheduled(db, { ...placeOf(channel), publicId });
    if (!scheduled) throw new NotFound(of.notFound);
    return scheduled;
  }

  function requireTime(text: string): Date {
    const dueAt = new Date(text);
    const aheadMs = dueAt.getTime() - Date.now();
    if (aheadMs < -CLOCK_SLACK_MS) throw new InvalidRequest(`body.${of.timeField}: is in the past.`);
    if (aheadMs <= MAX_AHEAD_MS) return dueAt;
    throw new InvalidRequest(`body.${of.timeField}: is more than ${MAX_AHEAD_MS / 86_400_000} days ahead.`);
  }

  function requireId(scheduled: ScheduleOutcome): string {
    switch (scheduled.outcome) {
      case 'created':
      case 'repeated':
        return scheduled.publicId;
      case 'too_many':
        throw new Conflict('LIMIT_REACHED', of.tooMany(MAX_SCHEDULED_PER_CHANNEL));
      case 'key_reused':
        throw new KeyReused();
    }
  }

  function notScheduled({ status }: ScheduledRecord): Conflict {
    return new Conflict(of.notScheduled, `The ${kind} can no longer be changed: it is ${status}.`);
  }
}
