import test from 'ava';
import type { Knex } from 'knex';
import { readChangeHorizon, readDeliveryChanges } from '../../../db/deliveries/changes.ts';
import { firstDeliverySince, firstEventSince } from '../../../db/deliveries/id-ranges.ts';
import { type DeliveryPage, findPage } from '../../../db/deliveries/find-page.ts';
import { readDeliveries } from '../../../db/deliveries/records.ts';
import { keepLedgerPeriods } from '../../../db/ledger/upkeep/ledger-periods.ts';
import { countMatching, takeSnapshot } from '../../../db/replays/plan.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { plansOf } from '../../harness/database/plans.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const PERIODS = 5;
const DAY_MS = 86_400_000;
const SENDER = '15551230001';

/** Periods of a day with three deliveries each, of which the last one is younger than a day. Returns their ids by period. */
async function aHistory(db: Knex) {
  const { organization, workspace } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const ids: number[][] = [];
  for (let period = 0; period < PERIODS; period++) {
    if (period > 0) await keepLedgerPeriods(db, { retentionMs: 0, minIds: 1 });
    const began = ago(PERIODS - period);
    await db('ledger_periods')
      .where('first_id', db('ledger_periods').whereNotNull('began_at').max('first_id'))
      .update({ began_at: began });
    const written: number[] = [];
    for (let count = 1; count <= 3; count++) {
      const { id } = await aLedgerDelivery(db, channel, { destinationId: null, status: 'delivered' });
      const created_at = new Date(began.getTime() + (count * DAY_MS) / 4);
      await db('deliveries').where({ id }).update({ created_at });
      await db('events')
        .where('id', db('deliveries').where({ id }).select('event_id'))
        .update({ created_at, sender: SENDER });
      written.push(id);
    }
    ids.push(written);
  }
  await db.raw('analyze');
  return { organization, workspace, channel, ids };
}

const listDeliveries = async (db: Knex, page: DeliveryPage) => readDeliveries(db, await findPage(db, page));

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Numbers of the periods whose ended deliveries are read. */
const periodsIn = (plans: string): string[] => [...new Set(plans.match(/deliveries_ended_\d+/g) ?? [])].toSorted();

test('a page of the newest deliveries plans recent periods only', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  const { workspace, ids } = await aHistory(db);
  const list = (page: object) => () => listDeliveries(db, { workspaceId: workspace.id, limit: 2, ...page });
  const recent = ['deliveries_ended_3', 'deliveries_ended_4', 'deliveries_ended_5'];
  for (const page of [{}, { sender: SENDER }]) t.deepEqual(periodsIn(await plansOf(db, list(page))), recent);
  t.deepEqual(periodsIn(await plansOf(db, list({ before: ids[3]![1] }))), ['deliveries_ended_2', 'deliveries_ended_3']);
  const ofSecondDay = { since: ago(PERIODS - 1), until: ago(PERIODS - 2) };
  t.false(periodsIn(await plansOf(db, list(ofSecondDay))).includes('deliveries_ended_4'));
});

test('pages continue across periods without gaps or repetitions', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  const { workspace, ids } = await aHistory(db);
  for (const filter of [{}, { sender: SENDER }]) {
    const seen: number[] = [];
    for (;;) {
      const page = { workspaceId: workspace.id, limit: 4, before: seen.at(-1), ...filter };
      const records = await listDeliveries(db, page);
      seen.push(...records.map(({ id }) => id));
      if (records.length < 4) break;
    }
    t.deepEqual(seen, ids.flat().toReversed());
  }
});

test('a poll without changes sends one statement', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  const { workspace } = await aHistory(db);
  const after = { xid: await readChangeHorizon(db), id: 0 };
  let count = 0;
  db.on('query', () => count++);
  const page = await readDeliveryChanges(db, { workspaceId: workspace.id, after, limit: 10 });
  t.like(page, { changes: [], isFull: false });
  t.is(count, 1);
});

test('the first delivery since a time is found in its period', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  const { ids } = await aHistory(db);
  const events = await db('events').orderBy('id').pluck('id');
  t.is(await firstDeliverySince(db, ago(PERIODS + 1)), ids[0]![0]!);
  t.is(await firstEventSince(db, ago(PERIODS + 1)), events[0]);
  for (const [period, [, second]] of ids.entries()) {
    const at = new Date(ago(PERIODS - period).getTime() + DAY_MS / 3);
    t.is(await firstDeliverySince(db, at), second!);
    t.is(await firstEventSince(db, at), events[period * 3 + 1]);
  }
  t.is(await firstDeliverySince(db, new Date(Date.now() + DAY_MS)), ids.at(-1)!.at(-1)! + 1);
  const plans = await plansOf(db, () => firstDeliverySince(db, ago(PERIODS - 2.5)));
  t.deepEqual(periodsIn(plans), ['deliveries_ended_2']);
});

test('without deliveries, the first one since a time is any', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  t.is(await firstDeliverySince(db, ago(1)), 0);
});

test('counting the deliveries of a replay reads only its time span', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  const { organization, workspace, channel } = await aHistory(db);
  const criteria = {
    place: { organizationId: organization.id, workspaceId: workspace.id, channelId: channel.id },
    since: ago(PERIODS - 2.1),
    until: ago(PERIODS - 2.9),
    snapshot: await takeSnapshot(db),
    statuses: ['delivered' as const],
    eventTypes: null,
    destinationSlot: null,
  };
  t.is((await countMatching(db, criteria)).matched, 3);
  const plans = await plansOf(db, () => countMatching(db, criteria));
  const looked = plans.match(/deliveries_ended_\d+ deliveries/g) ?? [];
  t.deepEqual([...new Set(looked)], ['deliveries_ended_2 deliveries']);
});
