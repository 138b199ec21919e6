import test from 'ava';
import { moveIdsAhead } from '../../../db/ledger/upkeep/after-restore.ts';
import { addPeriodsUpTo } from '../../../db/ledger/upkeep/ledger-periods.ts';
import { PERIOD_SPAN } from '../../../db/core/period-span.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import {
  accepted,
  acceptedItems,
  anItem,
  aWebhookDestination,
  claim,
  hotLedger,
} from '../../harness/deliveries/hot-ledger.ts';

test('a claim looks for an event only in its period', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  const { shard } = await aWebhookDestination(ledger, ledger.channel);
  await addPeriodsUpTo(ledger.db, 6 * PERIOD_SPAN);
  await ledger.db.transaction((trx) => moveIdsAhead(trx, 5 * PERIOD_SPAN));
  await accepted(ledger.pool, [anItem()]);
  const pool = testHotPool(t, ledger.url, { connections: 1, prunesPartitions: true });
  await claim(pool);
  const { rows } = await pool.query<Record<string, string>>(
    `explain (analyze, timing off) execute "claim-deliveries" ('{${shard}}', '{}', '{}', '{}', '{}', 100, 512)`,
  );
  const scans = rows.map((row) => row['QUERY PLAN']!).filter((line) => / on events_\d/.test(line));
  t.is(scans.length, 7);
  t.deepEqual(
    scans.filter((line) => !line.includes('never executed')).map((line) => / on (\w+)/.exec(line)![1]),
    ['events_5'],
  );
});

test('a claim does not read the index of conversations', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  const { shard } = await aWebhookDestination(ledger, ledger.channel);
  const ids = await acceptedItems(ledger.pool, 2_000, (index) => index);
  await ledger.db.raw('delete from deliveries_waiting where id < ?', [ids.at(-3)!]);
  await ledger.db.raw('analyze deliveries_waiting');
  const pool = testHotPool(t, ledger.url, { connections: 1, prunesPartitions: true });
  await claim(pool);
  const { rows } = await pool.query<Record<string, string>>(
    `explain execute "claim-deliveries" ('{${shard}}', '{}', '{}', '{}', '{}', 100, 512)`,
  );
  const indexes = rows.flatMap((row) => /deliveries_waiting_\w+/.exec(row['QUERY PLAN']!)?.[0] ?? []);
  t.true(indexes.length > 0);
  t.false(indexes.includes('deliveries_waiting_by_conversation'));
});
