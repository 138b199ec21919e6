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
