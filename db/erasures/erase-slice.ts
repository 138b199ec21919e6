import type { Knex } from 'knex';
import {
  type ErasureCounts,
  type ErasureState,
  type ErasureStep,
  erasureSteps,
  LATE_ATTEMPTS_MS,
} from '../../contract/erasures/erasure.ts';
import { BodyUnreadable, type StoredBody } from '../core/body-box.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { queryRows } from '../core/query-rows.ts';
import { horizonSql } from '../deliveries/horizon.ts';
import { eraseEvents, eraseLateAnswers } from '../ledger/upkeep/erase-events.ts';
import { type ErasedSlice, eraseRows, WALKED_ROWS } from './erase-rows.ts';
import { nextEvents, type OpenErasure } from './next-slice.ts';
import { findPersonIds, namesPersonSql, personPattern, placedScopeSql } from './person-scope.ts';
import { type OpenBody, readUnroutedItems } from './unrouted-items.ts';
import { SLICE_ROWS, type Slice } from './walk-channels.ts';
import { walkedSteps } from './walked-steps.ts';
import { addUsage } from '../usage/count-usage.ts';
import { type CountedUsage, countCallsSql } from '../usage/usage-sources.ts';
import { requestStarts } from '../core/request-start.ts';
import { hashRecipient } from '../operations/recipient.ts';

interface LockedErasure extends OpenErasure {
  readonly isHeld: boolean;
  readonly counts: ErasureCounts;
}

export interface EraseSliceOptions {
  /** Optional. How long the answers of late attempts are waited for. */
  readonly lateMs?: number;
  /** Optional. Opens encrypted bodies of unrouted events. Default: such events stay. */
  readonly open?: OpenBody | undefined;
}

/**
 * Erases the next slice of an erasure. The erased rows, the counts and the position change in one transaction, so that
 * it may be interrupted and repeated. Returns undefined if the erasure does not exist.
 */
export async function eraseSlice(
  db: Knex,
  publicId: string,
  { lateMs = LATE_ATTEMPTS_MS, open = openPlain }: EraseSliceOptions = {},
): Promise<ErasureState | undefined> {
  return await ledgerTransaction(db, async (trx) => {
    await trx.raw('set local enable_seqscan = off'); // use the indexes despite outdated statistics
    const [locked] = await queryRows<LockedErasure & { status: ErasureState['status'] }>(trx, lockSql, { publicId });
    if (!locked) return undefined;
    const { status, step, isHeld, counts } = locked;
    if (status === 'completed' || isHeld) return { status, step, isHeld, events: counts.events ?? 0 };
    const erasure = { ...locked, personIds: await knownIds(trx, locked) };
    const { erased, next } = await eraseNext(trx, erasure, open);
    const total = sumOf(counts, erased);
    const following = next === undefined ? erasureSteps[erasureSteps.indexOf(step) + 1] : step;
    await trx.raw(movedSql, { id: erasure.id, counts: JSON.stringify(total) });
    if (following === undefined) await complete(trx, erasure.id);
    else if (next === undefined) await beginStep(trx, { id: erasure.id, step: following, lateMs });
    else
      await trx.raw('update erasures set at_channel_id = :atChannelId, at_id = :atId where id = :id', {
        id: erasure.id,
        ...next,
      });
    const events = total.events ?? 0;
    return {
      status: following === undefined ? 'completed' : 'erasing',
      step: following ?? step,
      isHeld: false,
      events,
    };
  });
}

/** Waits until all transactions that began before the erasure have ended, so that none of their events is missed. */
const lockSql = `
select id, organization_id as "organizationId", kind, event_id as "eventId", sender,
  person_ids as "personIds", workspace_id as "workspaceId",
  channel_id as "channelId", step, at_channel_id as "atChannelId", at_id as "atId", cast(created_at as text) as "createdAt", status,
  counts, xid >= ${horizonSql} or coalesce(next_step_at > clock_timestamp(), false) as "isHeld"
from erasures where public_id = :publicId for update`;

/** Looked up once, because the events that name the ids together are erased first. */
async function knownIds(trx: Knex, erasure: LockedErasure): Promise<readonly string[] | null> {
  const { id, sender, personIds } = erasure;
  if (sender === null || personIds !== null) return personIds;
  const found = await findPersonIds(trx, { ...erasure, sender });
  await trx.raw('update erasures set person_ids = :found where id = :id', { id, found: [...found] });
  return found;
}

const movedSql = `
update erasures set counts = cast(:counts as jsonb), progressed_at = clock_timestamp() where id = :id`;

function openPlain(stored: StoredBody): Buffer {
  if (Buffer.isBuffer(stored)) return stored;
  throw new BodyUnreadable(stored);
}

async function eraseNext(trx: Knex, erasure: LockedErasure, open: OpenBody): Promise<ErasedSlice> {
  switch (erasure.step) {
    case 'events':
      return await eraseNextEvents(trx, erasure);
    case 'scheduled_messages':
      return await eraseScheduledMessages(trx, erasure);
    case 'answers':
      return await eraseNextAnswers(trx, erasure);
    case 'outbound_calls':
      await countErasedCalls(trx, erasure);
      return await eraseRows(trx, erasure, walkedSteps[erasure.step]);
    case 'scheduled_posts':
    case 'idempotent_calls':
    case 'containers':
    case 'test_events':
    case 'webhook_candidates':
    case 'default_webhooks':
    case 'channels':
    case 'workspaces':
      return await eraseRows(trx, erasure, walkedSteps[erasure.step]);
    case 'unrouted_events':
      return await eraseUnroutedEvents(trx, erasure, open);
  }
}

async function eraseNextEvents(trx: Knex, erasure: LockedErasure): Promise<ErasedSlice> {
  const { ids, next } = await nextEvents(trx, erasure);
  if (ids.length === 0) return { erased: {}, next };
  const erased = await eraseEvents(trx, ids);
  await trx.raw(
    `insert into erased_events (erasure_id, event_id)
     select :id, event_id from unnest(cast(:ids as bigint[])) as erased (event_id) on conflict do nothing`,
    { id: erasure.id, ids: [...ids] },
  );
  return { erased: { ...erased }, next };
}

async function eraseNextAnswers(trx: Knex, { id, atId }: LockedErasure): Promise<ErasedSlice> {
  const rows = await queryRows<{ eventId: number }>(
    trx,
    `select event_id as "eventId" from erased_events where erasure_id = :id and event_id > :atId
     order by event_id limit :limit`,
    { id, atId, limit: SLICE_ROWS },
  );
  const attempts = await eraseLateAnswers(
    trx,
    rows.map(({ eventId }) => eventId),
  );
  const last = rows.at(-1);
  return { erased: { attempts }, next: last && { atChannelId: 0, atId: last.eventId } };
}

function sumOf(counts: ErasureCounts, erased: ErasureCounts): ErasureCounts {
  const names = Object.keys({ ...counts, ...erased }) as (keyof ErasureCounts)[];
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + (erased[name] ?? 0)]));
}

interface BegunStep {
  readonly id: number;
  readonly step: ErasureStep;
  readonly lateMs: number;
}

async function beginStep(trx: Knex, { id, step, lateMs }: BegunStep): Promise<void> {
  await trx.raw(
    `update erasures set step = :step, at_channel_id = 0, at_id = 0,
       next_step_at = case when :step = 'answers' then clock_timestamp() + :lateMs * interval '1 millisecond' end
     where id = :id and status = 'erasing'`,
    { id, step, lateMs },
  );
}

async function complete(trx: Knex, id: number): Promise<void> {
  await trx.raw('delete from erased_events where erasure_id = :id', { id });
  await trx.raw(
    `update erasures set status = 'completed', sender = null, person_ids = null, ended_at = clock_timestamp() where id = :id and status = 'erasing'`,
    { id },
  );
}

/**
 * Counts the calls that the next slice deletes or empties, if usage has not counted them yet. The mark's new revision
 * lets a count that has already read them begin again.
 */
async function countErasedCalls(trx: Knex, erasure: OpenErasure): Promise<void> {
  if (erasure.kind === 'event') return;
  const { atId, createdAt, organizationId, workspaceId, channelId, personIds } = erasure;
  const [mark] = await queryRows<{ countedTo: number }>(
    trx,
    `update usage_marks set revision = revision + 1 where source = 'outbound_calls' returning counted_to as "countedTo"`,
  );
  const counts = await queryRows<CountedUsage>(trx, countCallsSql(erasedCallsSql), {
    atId,
    createdAt,
    organizationId,
    workspaceId,
    channelId,
    limit: WALKED_ROWS,
    countedTo: mark?.countedTo ?? 0,
    personPattern: personIds === null ? null : personPattern(personIds),
  });
  await addUsage(trx, counts);
}

const erasedCallsSql = `
  select o.* from (select * from outbound_calls where id > :atId order by id limit :limit) o
  where o.id > cast(:countedTo as bigint) and ${placedScopeSql}
    and (cast(:personPattern as text) is null or ${namesPersonSql('o.path')})`;

interface ErasedMessages {
  readonly erased: ErasureCounts;
  readonly next: Slice['next'];
}

/**
 * Messages to a person or of a workspace. Waiting ones are cancelled. One whose call is under way ends as `unknown`: its
 * outcome is no longer recorded, and it is not put back to be sent later.
 */
async function eraseScheduledMessages(trx: Knex, erasure: OpenErasure): Promise<ErasedMessages> {
  if (erasure.kind === 'event') return { erased: {}, next: undefined };
  const { atId, createdAt, organizationId, workspaceId, channelId, personIds } = erasure;
  const rows = await queryRows<{ id: number; publicId: string; wasOpen: boolean }>(trx, eraseSql, {
    atId,
    createdAt,
    organizationId,
    workspaceId,
    channelId,
    limit: SLICE_ROWS,
    recipientHashes: personIds === null ? null : personIds.map(hashRecipient),
  });
  const subjectIds = rows.filter(({ wasOpen }) => wasOpen).map(({ publicId }) => publicId);
  await requestStarts(trx, { type: 'carryScheduled', subjectIds });
  const next = rows.length < SLICE_ROWS ? undefined : { atChannelId: 0, atId: Math.max(...rows.map(({ id }) => id)) };
  return { erased: { scheduledMessages: rows.length }, next };
}

const eraseSql = `
update scheduled m set
  status = case m.status when 'scheduled' then 'cancelled' when 'sending' then 'unknown' else m.status end,
  reason = case m.status when 'sending' then 'outcome_unknown' else m.reason end,
  status_detail = case when m.ended_at is null then 'Its content was erased.' else m.status_detail end,
  ended_at = coalesce(m.ended_at, clock_timestamp()),
  message_encrypted = null, recipient_hash = null, other_recipient_hash = null,
  platform_message_id = null
from (
  select id, ended_at is null as was_open from scheduled
  where kind = 'message' and id > :atId and created_at <= cast(:createdAt as timestamptz)
    and workspace_id in (select id from workspaces where organization_id = :organizationId)
    and (cast(:workspaceId as bigint) is null or workspace_id = cast(:workspaceId as bigint))
    and (cast(:channelId as bigint) is null or channel_id = cast(:channelId as bigint))
    and (cast(:recipientHashes as bytea[]) is null or recipient_hash = any (cast(:recipientHashes as bytea[]))
      or other_recipient_hash = any (cast(:recipientHashes as bytea[])))
  order by id limit :limit for update
) found
where m.id = found.id
returning m.id, m.public_id as "publicId", found.was_open as "wasOpen"`;

/**
 * Deletes items that came while their account was not connected, if a channel of the scope has or had the account. An
 * event that was accepted from an item needs nothing: the item has lost its body.
 */
async function eraseUnroutedEvents(trx: Knex, erasure: OpenErasure, open: OpenBody): Promise<ErasedSlice> {
  if (erasure.kind === 'event') return { erased: {}, next: undefined };
  const { items, next } = await readUnroutedItems(trx, { scope: erasure, after: erasure.atId, open });
  const ids = items.map(({ id }) => id);
  await trx.raw('delete from unrouted_events where id = any (cast(:ids as bigint[]))', { ids });
  return {
    erased: { unroutedEvents: ids.length },
    next: next === undefined ? undefined : { atChannelId: 0, atId: next },
  };
}
