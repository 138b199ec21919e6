import test from 'ava';
import { countArrivals, arriveOnce } from '../../harness/system/arrivals.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 3_000, full: 20_000 });

test('a killed API loses no acknowledged event and stores none twice', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const { apis, channel, db, ...system } = await startSystem(t);
  const { id: channelId, resourceId } = await channel({ webhookUrl: arrivals.url });
  const burst = publishBurst({ ...system, resourceIds: [resourceId], count, duplicateEvery: 10 });
  const kill = async (acknowledgedCount: number): Promise<void> => {
    await until(() => burst.acknowledged.length >= acknowledgedCount, { for: 'The middle of the burst' });
    await apis[0]!.crash();
  };

  await kill(count / 4);
  await kill(count / 2);
  await burst.done;
  await arriveOnce(t, { ...system, ...burst, arrivals });
  t.log(`refused or unanswered, and sent again: ${burst.refusedCount()}`);
  t.true(burst.refusedCount() > 0, 'the kill hit open requests');
  t.is(burst.acknowledged.length, count);
  const { rows } = await db.raw('select count(*) as events from events where channel_id = ?', [channelId]);
  t.is(rows[0].events, count, 'a repeated event is stored once');
});
