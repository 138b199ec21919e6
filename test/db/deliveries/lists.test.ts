import test from 'ava';
import type { Knex } from 'knex';
import type { DeliveryStatus } from '../../../contract/deliveries/status.ts';
import { type ChangePosition, readDeliveryChanges } from '../../../db/deliveries/changes.ts';
import { findPage } from '../../../db/deliveries/find-page.ts';
import { readDeliveries } from '../../../db/deliveries/records.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant, type TestChannel } from '../../harness/tenants.ts';
import { eventually } from '../../harness/eventually.ts';
import { plansOf } from '../../harness/database/plans.ts';

/** One delivery in a thousand is exhausted. */
async function manyDeliveries(db: Knex, channels: readonly TestChannel[], count: number): Promise<void> {
  const { id } = await aLedgerDelivery(db, channels[0]!, { status: 'delivered' });
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, shard, conversation_key, event_type, status)
     select event_id, (cast(? as bigint[]))[1 + n % ?], workspace_id, shard, conversation_key, event_type,
       case when n % 1000 = 0 then 'exhausted' else 'delivered' end
     from deliveries, generate_series(1, ?) n where id = ?`,
    [channels.map((channel) => channel.id), channels.length, count, id],
  );
}

test('a list of exhausted deliveries reads their partial index', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  const { workspace } = await aTenant(db);
  const channels = [await aChannel(db, workspace), await aChannel(db, workspace)];
  await manyDeliveries(db, channels, 20_000);
  await db.raw('analyze');
  const page = { workspaceId: workspace.id, limit: 51 };
  const list = (statuses: readonly DeliveryStatus[]) => async () =>
    readDeliveries(db, await findPage(db, { ...page, statuses }));
  for (const statuses of [['retrying', 'exhausted'], ['exhausted'], ['cancelled', 'skipped']] as const) {
    t.regex(await plansOf(db, list(statuses)), /_in_trouble/, statuses.join());
  }
  t.notRegex(await plansOf(db, list(['delivered', 'exhausted'])), /_in_trouble|Seq Scan on deliveries_ended/);
  t.is((await list(['retrying', 'exhausted'])()).length, 20);
});

test('changes across many channels are read once each, in order', async (t) => {
  const { db } = await testDatabase(t, { isNew: true });
  const { workspace } = await aTenant(db);
  const channels: TestChannel[] = [];
  for (let count = 0; count < 25; count++) channels.push(await aChannel(db, workspace));
  for (let round = 0; round < 3; round++) {
    for (const channel of channels) await aLedgerDelivery(db, channel, { destinationId: null, status: 'delivered' });
  }
  const seen: number[] = [];
  let after: ChangePosition = { xid: 0n, id: 0 };
  const stored = await db('deliveries').orderBy('id').pluck('id');
  // Changes become visible only after the open transactions of other tests have ended.
  await eventually(async () => {
    const page = await readDeliveryChanges(db, { workspaceId: workspace.id, after, limit: 10 });
    t.true(page.changes.length <= 10);
    seen.push(...page.changes.map(({ delivery }) => delivery.id));
    after = page.next;
    return seen.length >= stored.length;
  });
  t.deepEqual(seen, stored);
  const rest = await readDeliveryChanges(db, { workspaceId: workspace.id, after, limit: 10 });
  t.like(rest, { changes: [], isFull: false });
});
