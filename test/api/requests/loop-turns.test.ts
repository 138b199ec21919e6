import test from 'ava';
import { inSlices, nextTurn } from '../../../api/requests/loop-turns.ts';

test('a slice ends after 64 KiB, and a larger item is one', async (t) => {
  const steps: (number | 'turn')[] = [];
  const next = () => Promise.resolve(void steps.push('turn'));
  const sizes = [30_000, 30_000, 30_000, 900_000, 1];
  for await (const size of inSlices(sizes, { bytesOf: (bytes) => bytes, next })) steps.push(size);
  t.deepEqual(steps, ['turn', 30_000, 30_000, 30_000, 'turn', 900_000, 'turn', 1]);
});

test('a turn of the event loop has one slice of all requests', async (t) => {
  let loopTurn = 0;
  let ended = false;
  const count = (): void => {
    loopTurn++;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const seen: number[] = [];
  const work = async (): Promise<void> => {
    for (let slice = 0; slice < 5; slice++) {
      await nextTurn();
      seen.push(loopTurn);
    }
  };
  await Promise.all([work(), work(), work()]);
  ended = true;
  t.is(seen.length, 15);
  t.is(new Set(seen).size, 15, 'each slice has a turn of its own');
});
