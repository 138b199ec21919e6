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
import { countErasedCalls } from './count-erased-calls.ts';
import { type ErasedSlice, eraseRows } from './erase-rows.ts';
import { eraseUnroutedEvents } from './erase-unrouted.ts';
import { eraseScheduledMessages } from './erase-scheduled.ts';
import { nextEvents, type OpenErasure } from './next-slice.ts';
import { findPersonIds } from './person-scope.ts';
import type { OpenBody } from './unrouted-items.ts';
import { SLICE_ROWS } from './walk-channels.ts';
import { walkedSteps } from './walked-steps.ts';

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
