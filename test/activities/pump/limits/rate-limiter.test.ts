import test from 'ava';
import fc from 'fast-check';
import { createRateLimiter } from '../../../../activities/pump/limits/rate-limiter.ts';
import { eventually } from '../../../harness/eventually.ts';

function clockedPaces(onReady = (): void => undefined) {
  const clock = { ms: 0 };
  const limiter = createRateLimiter({ now: () => clock.ms, onReady });
  const begin = (perSecond: number | undefined, id = 1): boolean => {
    const may = limiter.mayBegin(id, perSecond);
    if (may) limiter.began(id);
    return may;
  };
  return { clock, begin, close: limiter.close };
}

test('no second has more requests than the rate', (t) => {
  const property = fc.property(
    fc.integer({ min: 1, max: 1_000 }),
    fc.array(fc.nat({ max: 120 }), { minLength: 1, maxLength: 300 }),
    (perSecond, waits) => {
      const { clock, begin, close } = clockedPaces();
      const begunAt: number[] = [];
      for (const wait of waits) {
        clock.ms += wait;
        while (begin(perSecond)) begunAt.push(clock.ms);
      }
      close();
      return begunAt.every(
        (atMs, index) => begunAt.filter((other, at) => at <= index && other > atMs - 1_000).length <= perSecond,
      );
    },
  );
  fc.assert(property);
  t.pass();
});

for (const perSecond of [1, 7, 49, 50, 1_000]) {
  test(`a backlog is sent at ${perSecond} per second`, (t) => {
    const { clock, begin, close } = clockedPaces();
    let count = 0;
    for (; clock.ms < 60_000; clock.ms++) while (begin(perSecond)) count++;
    close();
    t.true(count >= perSecond * 60 * 0.97 - 1 && count <= perSecond * 60, `${count}`);
  });
}

test('a fresh window starts without tokens, an idle one full', (t) => {
  const { clock, begin, close } = clockedPaces();
  t.false(begin(2));
  clock.ms = 500;
  t.true(begin(2));
  t.false(begin(2));
  clock.ms = 10_000;
  t.true(begin(2, 2));
  t.true(begin(undefined));
  close();
});

test('a destination at its rate is taken up again by a timer', async (t) => {
  let readyCount = 0;
  let nowMs = 0;
  const limiter = createRateLimiter({ now: () => nowMs, onReady: () => void readyCount++ });
  t.false(limiter.mayBegin(1, 1_000));
  nowMs = 10;
  await eventually(() => readyCount === 1);
  t.true(limiter.mayBegin(1, 1_000));
  limiter.close();
});
