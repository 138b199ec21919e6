import test from 'ava';
import { workWithinShare } from '../../../activities/upkeep/work-within-share.ts';
import { createShares } from '../../../process/shares.ts';

const running = new AbortController().signal;
const owner = { organizationId: 1 };
const aShare = (perOrganization = 1) => createShares({ perCredential: 10, perOrganization, inAll: 40 });

/** Returns how many slices were done, at most 5. */
const slices = (ended = running, shares = aShare()) =>
  workWithinShare({ shares, owner, ended }, ({ mayContinue, hasShare }) => {
    let count = 0;
    while (count < 5 && mayContinue()) count++;
    return Promise.resolve({ count, hasShare });
  });

test('work within the share continues slice by slice', async (t) => {
  t.deepEqual(await slices(), { count: 5, hasShare: true });
});

test('work beyond the share does one slice, other tenants continue', async (t) => {
  const shares = aShare();
  shares.take(owner);
  t.deepEqual(await slices(running, shares), { count: 1, hasShare: false });

  const other = await workWithinShare({ shares, owner: { organizationId: 2 }, ended: running }, ({ hasShare }) =>
    Promise.resolve(hasShare),
  );
  t.true(other);
});

test('work that ended gives its share back, also after an error', async (t) => {
  const shares = aShare();
  await slices(running, shares);
  await t.throwsAsync(
    workWithinShare({ shares, owner, ended: running }, () => Promise.reject(new Error('a database is away'))),
  );
  t.is(shares.count(), 0);
});

test('a cancelled activity does no slice', async (t) => {
  t.deepEqual(await slices(AbortSignal.abort()), { count: 0, hasShare: true });
});
