import test, { type ExecutionContext } from 'ava';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { insertErasure } from '../../../db/erasures/erasures.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { countUsage } from '../../../db/usage/count-usage.ts';
import { readCountedUntil } from '../../../db/usage/read-usage.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { refusal } from '../../harness/deliveries/failing-ledger.ts';
import { eventually } from '../../harness/eventually.ts';
import { aChannel } from '../../harness/tenants.ts';
import { anItem, aWebhookDestination, hotLedger, acceptedItems } from '../../harness/deliveries/hot-ledger.ts';

interface Sums {
  events: number;
  deliveries: number;
  attempts: number;
  sends: number;
  publishes: number;
}

async function usageLedger(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, pool, channel } = ledger;
  const { id: destinationId } = await aWebhookDestination(ledger, channel);
  const accept = async (count: number) => await acceptedItems(pool, count);
  const settle = async (ids: readonly number[], number = 1) =>
    await settleAccepted(
      pool,
      ids.map((deliveryId) => ({
        deliveryId,
        destinationId,
        attempt: refusal({ outcome: 'accepted', status: 200, number }),
      })),
    );
  /** The first count takes a bound, the second one reaches it. */
  const count = async (sliceRows?: number) => {
    const options = { settledMs: 0, ...(sliceRows !== undefined && { sliceRows }) };
    for (let round = 0; round < 2; round++) t.true(await countUsage(db, options));
  };
  const sums = async (): Promise<Sums> => {
    const { rows } = await db.raw<{ rows: Sums[] }>(
      `select coalesce(sum(events), 0)::int as events, coalesce(sum(deliveries), 0)::int as deliveries,
         coalesce(sum(attempts), 0)::int as attempts, coalesce(sum(sends), 0)::int as sends,
         coalesce(sum(publishes), 0)::int as publishes from usage_days`,
    );
    return rows[0]!;
  };
  /** Counts until the sums are these: a transaction of another database that has just ended can hold a bound back. */
  const countsTo = async (expected: Partial<Sums>, { sliceRows }: { sliceRows?: number } = {}) => {
    const isCounted = async () => {
      await count(sliceRows);
      return Object.entries(await sums()).every(([name, sum]) => (expected[name as keyof Sums] ?? sum) === sum);
    };
    await eventually(isCounted).catch(() => undefined);
    t.like(await sums(), expected);
  };
  const place = { channel_id: channel.id, workspace_id: ledger.tenant.workspace.id, caller: 'key', duration_ms: 1 };
  const call = { ...place, via: 'api', method: 'POST', status: 200, started_at: new Date(), request_id: 'one' };
  return { ...ledger, accept, settle, count, countsTo, sums, call };
}

test('each event, delivery and attempt is counted once', async (t) => {
  const { db, accept, settle, countsTo } = await usageLedger(t);
  t.is(await readCountedUntil(db), null);
  await settle(await accept(7));
  await countsTo({ events: 7, deliveries: 7, attempts: 7 }, { sliceRows: 3 });
  t.not(await readCountedUntil(db), null);
  await countsTo({ events: 7, deliveries: 7, attempts: 7 }); // a repetition counts nothing
  await settle(await accept(2));
  await countsTo({ events: 9, deliveries: 9, attempts: 9 });
});

test('attempts after a count are added to those before', async (t) => {
  const { db, accept, settle, countsTo } = await usageLedger(t);
  const ids = await accept(3);
  await countsTo({ deliveries: 3, attempts: 0 });
  await settle(ids);
  await countsTo({ deliveries: 3, attempts: 3 });
  await db('deliveries')
    .whereIn('id', ids)
    .update({ status: 'exhausted', xid: db.raw('pg_current_xact_id()') });
  await settle(ids, 2);
  await countsTo({ deliveries: 3, attempts: 6 });
});

test('concurrent counts count each row once', async (t) => {
  const { db, accept, settle, countsTo } = await usageLedger(t);
  await countUsage(db, { settledMs: 0 });
  await settle(await accept(40));
  await Promise.all([0, 1, 2].map(() => countUsage(db, { settledMs: 0, sliceRows: 3 })));
  await countsTo({ events: 40, deliveries: 40, attempts: 40 }, { sliceRows: 3 });
});

test('an event of a long transaction is counted after its commit', async (t) => {
  const { db, accept, anotherPool, countsTo } = await usageLedger(t);
  const slow = await anotherPool(1).connect();
  await slow.query('begin');
  await slow.query('select pg_current_xact_id()');
  await acceptItems(slow as never, [anItem()]);
  await accept(1);
  await countsTo({ events: 0 }); // the bound waits for the transaction
  t.is(await readCountedUntil(db), null);
  await slow.query('commit');
  slow.release();
  await countsTo({ events: 2, deliveries: 2 });
});

test('counts outlive the counted rows, until their months have passed', async (t) => {
  const { db, accept, countsTo } = await usageLedger(t);
  await accept(2);
  await countsTo({ events: 2, deliveries: 2 });
  await db('events').delete();
  await db('deliveries').delete();
  await countsTo({ events: 2, deliveries: 2 });
  await db('usage_days').update({ day: db.raw(`current_date - interval '3 months'`) });
  const remove = async (months: number) => {
    const cutoff = new Date();
    cutoff.setUTCMonth(cutoff.getUTCMonth() - months);
    return await removeAllExpired(db, 'usage_days', { cutoff });
  };
  t.is(await remove(4), 0);
  t.is(await remove(2), 1);
});

test('accepted sends and publishes are counted, reads and refusals are not', async (t) => {
  const { db, call, countsTo } = await usageLedger(t);
  await db('outbound_calls').insert([
    { ...call, operation: 'sendMessage', path: '/1/messages' },
    { ...call, operation: 'sendMessage', path: '/1/messages', status: 400 },
    { ...call, operation: 'markMessageRead', path: '/1/messages' },
    { ...call, operation: null, via: 'gateway', path: '/1/messages' },
    { ...call, operation: null, via: 'gateway', path: '/1/messages', method: 'GET' },
    { ...call, operation: 'publishPageappPost', path: '/1/feed', request_id: 'two' },
    { ...call, operation: null, via: 'gateway', path: '/1/media_publish', request_id: 'three' },
  ]);
  await countsTo({ sends: 2, publishes: 2 });
});

test('request ids do not merge posts, and a reel is one', async (t) => {
  const { db, call, countsTo } = await usageLedger(t);
  const reel = { ...call, operation: 'publishPageappReel' };
  const reelCalls = ['/1/video_reels', '/video-upload/2', '/1/video_reels'].map((path) => ({ ...reel, path }));
  await db('outbound_calls').insert([
    ...[1, 2].map((media) => ({ ...call, operation: 'publishContainer', path: `/${media}/media_publish` })),
    ...reelCalls,
    { ...reelCalls[0], status: 500 },
    ...reelCalls,
    ...reelCalls.slice(0, 2),
    { ...reelCalls[2], status: 500 },
  ]);
  await countsTo({ publishes: 4 });
  await db('usage_days').delete();
  await db('usage_marks').where({ source: 'outbound_calls' }).update({ counted_to: 0 });
  await countsTo({ publishes: 4 }, { sliceRows: 1 }); // in slices of one call
});

test('a source that cannot be counted does not stop the others', async (t) => {
  const { db, accept, settle, sums } = await usageLedger(t);
  await countUsage(db, { settledMs: 0 });
  await settle(await accept(3));
  await countUsage(db, { settledMs: 0 });
  await db.raw('alter table attempts rename to attempts_away');
  await t.throwsAsync(countUsage(db, { settledMs: 0 }), { message: /attempts/ });
  t.like(await sums(), { events: 3, deliveries: 3, attempts: 0 });
});

test('attempts of many channels are counted a few channels at a time', async (t) => {
  const { db, tenant, accept, settle, countsTo } = await usageLedger(t);
  const others = [];
  for (let index = 0; index < 3; index++) others.push(await aChannel(db, tenant.workspace));
  const ids = await accept(8);
  for (const [index, { id }] of others.entries()) {
    const own = ids.slice(2 * index, 2 * index + 2);
    await db('deliveries').whereIn('id', own).update({ channel_id: id });
  }
  await settle(ids);
  await countsTo({ attempts: 8 }, { sliceRows: 1 });
  t.deepEqual(await db('usage_days').where('attempts', '>', 0).orderBy('channel_id').pluck('attempts'), [2, 2, 2, 2]);
  t.like(await db('usage_marks').where({ source: 'attempts' }).first(), { at_channel_id: 0 });
  await countsTo({ attempts: 8 });
});

test('calls that an erasure deletes before their count are counted once', async (t) => {
  const { db, call, tenant, count, sums, countsTo } = await usageLedger(t);
  const { organization, workspace } = tenant;

  const send = { ...call, operation: 'sendMessage', path: '/1/messages' };
  await db('outbound_calls').insert([send, send]);
  await count();
  await db('outbound_calls').insert([send, send, send]);
  await countUsage(db, { settledMs: 0 });
  const scope = { kind: 'workspace', workspaceId: workspace.id, eventId: null, sender: null, channelId: null } as const;
  const publicId = await insertErasure(db, { organizationId: organization.id, ...scope, reason: 'asked for' });
  const isErased = async () => (await eraseSlice(db, publicId, { lateMs: 0 }))?.status === 'completed';
  await eventually(isErased);
  t.is((await db('outbound_calls')).length, 0);
  t.like(await sums(), { sends: 5 });
  await countsTo({ sends: 5 });
});

test('counting continues on a restored cluster with lower transaction ids', async (t) => {
  const { db, accept, settle, count, countsTo } = await usageLedger(t);
  await count();
  await db('usage_marks')
    .where({ source: 'attempts' })
    .update({ counted_to: 9e12, next_to: 9e12, next_xid: '9000000000000' });
  await count();
  await settle(await accept(2));
  await countsTo({ attempts: 2 });
});
