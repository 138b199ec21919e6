import test from 'ava';
import { disableForwarding } from '../../../db/channels/channels.ts';
import { ledgerTransaction } from '../../../db/core/ledger-transaction.ts';
import { testAudit } from '../../harness/audit.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { claim } from '../../harness/deliveries/hot-ledger.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('the first batch and all retries end, and others are void', async (t) => {
  const { db, url } = await testDatabase(t);
  const channel = await aChannel(db, (await aTenant(db)).workspace);
  const destinationId = await aWebhook(db, channel);
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, next_attempt_at)
     select n, ?, 1, dest.id, dest.shard, n, 'chatapp.message.received', case when n % 100 = 0 then 'retrying' else 'pending' end,
       case when n % 100 = 0 then now() end
     from generate_series(1, 12000) n, destinations dest where dest.id = ?`,
    [channel.id, destinationId],
  );
  const { retrying } = await disableForwarding(db, { ...channel, audit: testAudit });
  t.is(retrying.length, 120);
  const { rows } = await db.raw('select status, count(*) as count from deliveries group by status order by status');
  t.deepEqual(rows, [
    { status: 'pending', count: 6_880 },
    { status: 'skipped', count: 5_120 },
  ]);
  const { shard } = await db('destinations').where({ id: destinationId }).first();
  const { deliveries, voided } = await claim(testHotPool(t, url), { shard });
  t.is(deliveries.length, 0);
  t.true(voided.length > 0);
  t.deepEqual(voided[0]!.end, { status: 'skipped', reason: 'forwarding_disabled' });
});

test('a deadlocked transaction is retried a few times', async (t) => {
  const { db } = await testDatabase(t);
  let tries = 0;
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  const act = (failures: number) => () => (++tries <= failures ? Promise.reject(deadlock) : Promise.resolve('done'));
  t.is(await ledgerTransaction(db, act(2)), 'done');
  t.is(tries, 3);
  await t.throwsAsync(ledgerTransaction(db, act(100)), { is: deadlock });
  await t.throwsAsync(
    ledgerTransaction(db, () => Promise.reject(new Error('other'))),
    { message: 'other' },
  );
});
