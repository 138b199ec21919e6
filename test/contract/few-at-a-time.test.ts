import test from 'ava';
import { fewAtATime } from '../../contract/few-at-a-time.ts';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('works for each item, at most two at a time', async (t) => {
  const done: string[] = [];
  let runningCount = 0;
  let most = 0;
  await fewAtATime(['a', 'b', 'c', 'd', 'e'], 2, async (item, index) => {
    most = Math.max(most, ++runningCount);
    await turn();
    runningCount--;
    done.push(`${item}${index}`);
  });
  t.deepEqual(done.toSorted(), ['a0', 'b1', 'c2', 'd3', 'e4']);
  t.is(most, 2);
});

test('begins no further item after the answer false', async (t) => {
  const begun: number[] = [];
  await fewAtATime([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await turn();
    return item !== 2;
  });
  t.deepEqual(begun, [1, 2, 3]);
});

test('begins no further item after an error', async (t) => {
  const begun: number[] = [];
  const works = fewAtATime([1, 2, 3, 4], 1, async (item) => {
    begun.push(item);
    await turn();
    if (item === 2) throw new Error('broken');
  });
  await t.throwsAsync(works, { message: 'broken' });
  t.deepEqual(begun, [1, 2]);
});

test('an empty list has nothing to wait for', async (t) => {
  await t.notThrowsAsync(fewAtATime([], 3, async () => t.fail()));
});
