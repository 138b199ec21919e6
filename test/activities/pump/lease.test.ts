import test from 'ava';
import { createLease, leaseNow } from '../../../activities/pump/lease.ts';
import { LEASE_MS } from '../../../db/ledger/shards/shard-leases.ts';

/** Calls it as if this time had passed by one clock only. Nothing else runs meanwhile. */
function after<Result>(ms: number, clock: Pick<typeof Date, 'now'>, act: () => Result): Result {
  const { now } = clock;
  clock.now = () => now.call(clock) + ms;
  try {
    return act();
  } finally {
    clock.now = now;
  }
}

for (const [name, clock] of [
  ['the monotonic clock', performance],
  ['a clock that a suspended machine finds ahead', Date],
] as const) {
  test(`a lease ends by ${name}`, (t) => {
    const lease = createLease({ fence: 1, askedAtMs: leaseNow() });
    t.true(lease.isValid());
    t.true(after(LEASE_MS / 2, clock, lease.isValid));
    t.false(after(LEASE_MS, clock, lease.isValid));
    after(LEASE_MS, clock, () => {
      lease.renewed(leaseNow());
      t.true(lease.isValid());
    });
    lease.end();
    t.false(lease.isValid());
  });
}

test('a clock that is set back does not extend a lease', (t) => {
  const lease = createLease({ fence: 1, askedAtMs: leaseNow() });
  t.false(after(-600_000, Date, () => after(LEASE_MS, performance, lease.isValid)));
});

test('a renewal that was asked before a suspension extends no lease', (t) => {
  const lease = createLease({ fence: 1, askedAtMs: leaseNow() });
  const askedAtMs = leaseNow();
  after(10 * LEASE_MS, Date, () => {
    lease.renewed(askedAtMs);
    t.false(lease.isValid());
  });
});
