import test from 'ava';
import { createLease, type Lease, leaseNow } from '../../../activities/pump/lease.ts';
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

function aLease(): Lease {
  const lease = createLease();
  lease.renewed(leaseNow());
  return lease;
}

test('a lease is not valid before it is renewed', (t) => {
  t.false(createLease().isValid());
});

for (const [name, clock] of [
  ['the monotonic clock', performance],
  ['a clock that a suspended machine finds ahead', Date],
] as const) {
  test(`a lease ends by ${name}`, (t) => {
    const lease = aLease();
    t.true(lease.isValid());
    t.true(after(LEASE_MS / 2, clock, lease.isValid));
    t.false(after(LEASE_MS, clock, lease.isValid));
    after(LEASE_MS, clock, () => {
      lease.renewed(leaseNow());
      t.true(lease.isValid());
    });
  });
}

test('a clock that is set back does not extend a lease', (t) => {
  const lease = aLease();
  t.false(after(-600_000, Date, () => after(LEASE_MS, performance, lease.isValid)));
});

test('a renewal that was asked before a suspension extends no lease', (t) => {
  const lease = aLease();
  const askedAtMs = leaseNow();
  after(10 * LEASE_MS, Date, () => {
    lease.renewed(askedAtMs);
    t.false(lease.isValid());
  });
});
