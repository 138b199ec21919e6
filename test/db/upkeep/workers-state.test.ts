import test from 'ava';
import { watchWorkers } from '../../../db/upkeep/workers-state.ts';

test('workers are missing once a shard has been unserved for seconds', async (t) => {
  const after = (unservedSeconds: number) =>
    watchWorkers({ read: () => Promise.resolve({ unservedCount: 1, unservedSeconds }) })();
  t.is(await after(0), 'ok');
  t.is(await after(4), 'ok', 'a hand-over');
  t.is(await after(6), 'missing');
  t.is(await watchWorkers({ read: () => Promise.reject(new Error('away')) })(), 'unknown');
});

test('the state of the workers is asked every few seconds only', async (t) => {
  let nowMs = 0;
  let count = 0;
  const read = () => Promise.resolve({ unservedCount: ++count, unservedSeconds: count > 1 ? 60 : 0 });
  const state = watchWorkers({ read, now: () => nowMs });
  t.deepEqual([await state(), await state()], ['ok', 'ok']);
  nowMs = 5_000;
  t.is(await state(), 'missing');
  t.is(count, 2);
});
