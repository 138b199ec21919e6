import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createShares } from '../../process/shares.ts';

const numbers = { perCredential: 10, perOrganization: 10, inAll: 100 };

test('a pool names the organizations that hold the most', (t) => {
  const shares = createShares(numbers);
  const giveBack = [1, 2, 2, 2, 3, 3, 4, 4].map((organizationId) => shares.take({ organizationId }));
  t.deepEqual(shares.largest(), [
    { organizationId: 2, heldCount: 3 },
    { organizationId: 3, heldCount: 2 },
    { organizationId: 4, heldCount: 2 },
  ]);
  for (const give of giveBack) give();
  t.deepEqual([shares.count(), shares.largest()], [0, []]);
});

test('work holds its slot until it settles', async (t) => {
  const shares = createShares({ ...numbers, perOrganization: 1, retrySeconds: 3 });
  const work = Promise.withResolvers<string>();
  const first = shares.during({ organizationId: 1 }, () => work.promise);
  const refused = await t.throwsAsync(shares.during({ organizationId: 1 }, () => Promise.resolve('never')));
  t.like(refused, { code: 'RATE_LIMITED', headers: { 'retry-after': '3' } });
  work.resolve('done');
  t.is(await first, 'done');
  await t.throwsAsync(
    shares.during({ organizationId: 1 }, () => Promise.reject(new Error('failed'))),
    {
      message: 'failed',
    },
  );
  t.is(shares.count(), 0);
});

test('work waits for a slot within its time, in order of arrival', async (t) => {
  const shares = createShares({ ...numbers, perOrganization: 1, waitMs: 2 ** 31 - 1 });
  const ends = [1, 2, 3].map(() => Promise.withResolvers<number>());
  const began: number[] = [];
  const works = ends.map(({ promise }, index) =>
    shares.during({ organizationId: 1 }, () => {
      began.push(index);
      return promise;
    }),
  );
  await setImmediate();
  t.deepEqual(began, [0]);
  for (const [index, { resolve }] of ends.entries()) {
    resolve(index);
    t.is(await works[index], index);
    await setImmediate();
    t.deepEqual(began, [0, 1, 2].slice(0, index + 2));
  }
  t.is(shares.count(), 0);
});

test('work without a slot in time or beyond a bound is refused', async (t) => {
  const patient = createShares({ ...numbers, perOrganization: 1, waitMs: 2 ** 31 - 1 });
  const giveBack = patient.take({ organizationId: 1 });
  const waiting = Array.from({ length: 4 }, () => patient.during({ organizationId: 1 }, () => Promise.resolve('done')));
  const tooMany = patient.during({ organizationId: 1 }, () => Promise.resolve('never'));
  t.like(await t.throwsAsync(tooMany), { code: 'RATE_LIMITED' });
  t.is(await patient.during({ organizationId: 2 }, () => Promise.resolve('another')), 'another');
  giveBack();
  t.deepEqual(new Set(await Promise.all(waiting)), new Set(['done']));

  const hasty = createShares({ ...numbers, perOrganization: 1, waitMs: 1 });
  const held = hasty.take({ organizationId: 1 });
  const late = hasty.during({ organizationId: 1 }, () => Promise.resolve('never'));
  t.like(await t.throwsAsync(late), { code: 'RATE_LIMITED' });
  held();
  t.is(hasty.count(), 0);
});
