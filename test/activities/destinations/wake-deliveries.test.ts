import test from 'ava';
import type { ProbeAnswer } from '../../../activities/destinations/circuit-activities.ts';
import { wakeDeliveries } from '../../../activities/destinations/wake-deliveries.ts';

const answerWith = (count: number): ProbeAnswer => ({
  status: 'ended',
  description: 'destination_disabled',
  woken: Array.from({ length: count }, (_, index) => `wd_${index}`),
});

test('every delivery is signalled, at most eight at a time', async (t) => {
  const woken: string[] = [];
  let [current, highest] = [0, 0];
  const wake = async (deliveryId: string): Promise<void> => {
    highest = Math.max(highest, ++current);
    await new Promise(setImmediate);
    current--;
    woken.push(deliveryId);
  };
  const answer = answerWith(2_500);
  t.deepEqual(await wakeDeliveries(answer, { wake, now: () => 0 }), { ...answer, woken: [] });
  t.deepEqual(new Set(woken), new Set(answer.woken));
  t.is(woken.length, 2_500);
  t.is(highest, 8);
});

test('signals stop after 30 s, because deliveries check their row themselves', async (t) => {
  let [nowMs, count] = [0, 0];
  const wake = async (): Promise<void> => {
    count++;
    nowMs += 2_000;
  };
  const answer = await wakeDeliveries(answerWith(2_500), { wake, now: () => nowMs });
  t.deepEqual(answer.woken, []);
  t.true(count >= 15 && count < 30);
});
