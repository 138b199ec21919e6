import test from 'ava';
import { analyzeLedger } from '../../../db/upkeep/analyze-ledger.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { replayStage } from '../../harness/replays/replays.ts';

test('the parents of partitions have statistics, once a day', async (t) => {
  const { db, channel, destinationId } = await replayStage(t);
  const { id } = await aLedgerDelivery(db, channel, { status: 'delivered', destinationId });
  await db('attempts').insert({
    delivery_id: id, number: 1, started_at: new Date(), duration_ms: 1, outcome: 'accepted',
  }); // prettier-ignore
  const parents = ['events', 'deliveries', 'deliveries_ended', 'attempts'];
  const analyzed = async (): Promise<string[]> => {
    const tables: string[] = [];
    for await (const table of analyzeLedger(db)) tables.push(table);
    return tables;
  };
  t.deepEqual(await analyzed(), parents);
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select distinct starelid::regclass::text as name from pg_statistic
     where stainherit and starelid = any (cast(? as regclass[]))`,
    [`{${parents.join(',')}}`],
  );
  t.deepEqual(rows.map(({ name }) => name).toSorted(), parents.toSorted());
  const { rows: sizes } = await db.raw<{ rows: { count: number }[] }>(
    `select reltuples::float8 as count from pg_class where oid = any (cast(? as regclass[]))`,
    [`{${parents.join(',')}}`],
  );
  t.deepEqual(sizes.map(({ count }) => count), [1, 1, 1, 1]); // prettier-ignore
  t.deepEqual(await analyzed(), [], 'not again on the same day');
  await db('retention_sweeps')
    .where({ task: 'events_statistics' })
    .update({ ended_at: new Date(0) });
  t.deepEqual(await analyzed(), ['events']);
});
