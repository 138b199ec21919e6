import test from 'ava';
import { wakeDeliveries } from '../../../activities/destinations/wake-deliveries.ts';

const deliveryIds = Array.from({ length: 2_500 }, (_, index) => `wd_${index}`);

test('every delivery is signalled, at most eight at a time', async (t) => {
  const woken: string[] = [];
  let current = 0;
  let highest = 0;
  const wake = async (deliveryId: string): Promise<void> => {
    highest = Math.max(highest, ++current);
    await new Promise(setImmediate);
    current--;
    woken.push(deliveryId);
  };
  await wakeDeliveries(deliveryIds, { wake, now: () => 0 });
  t.deepEqual(new Set(woken), new Set(deliveryIds));
  t.is(woken.length, deliveryIds.length);
  t.is(highest, 8);
});

test('signals stop after 30 s, because deliveries check their row themselves', async (t) => {
  let nowMs = 0;
  let count = 0;
  const wake = async (): Promise<void> => {
    count++;
    nowMs += 2_000;
  };
  await wakeDeliveries(deliveryIds, { wake, now: () => nowMs });
  t.true(count >= 15 && count < 30);
});
