import test from 'ava';
import { createBodyBudget } from '../../process/body-budget.ts';

test('a budget rejects bytes beyond its limit', (t) => {
  const budget = createBodyBudget(1000);
  const first = budget.open();
  const second = budget.open();
  t.true(first.grow(600));
  t.false(second.grow(401));
  t.true(second.grow(400));
  t.is(budget.bytesInFlight(), 1000);
});

test('an unauthenticated address may use a quarter', (t) => {
  const budget = createBodyBudget(1000);
  const first = budget.open('a');
  const second = budget.open('a');
  const other = budget.open('b');
  t.true(first.grow(200));
  t.false(second.grow(51));
  t.true(other.grow(250));
  first.trust();
  t.true(second.grow(250));
  t.true(first.grow(300));
  t.is(budget.bytesInFlight(), 1000);
});

test('the addresses of one IPv6 block share a quarter', (t) => {
  const budget = createBodyBudget(1000);
  const [first, second, other] = ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:2::1'].map(budget.open);
  t.true(first!.grow(200));
  t.false(second!.grow(51));
  t.true(other!.grow(250));
});

test('a reservation is released once', (t) => {
  const budget = createBodyBudget(1000);
  const first = budget.open('a');
  const second = budget.open('a');
  first.grow(200);
  second.grow(50);
  first.release();
  first.release();
  t.is(budget.bytesInFlight(), 50);
  t.true(second.grow(200));
  second.trust();
  second.release();
  t.is(budget.bytesInFlight(), 0);
});

test('the tenants share three quarters, each a part that shrinks', (t) => {
  const budget = createBodyBudget(1_024);
  const opened = (organizationId: number, bytes: number) => {
    const reservation = budget.open();
    reservation.charge({ organizationId, userId: organizationId, credentialId: `key_${organizationId}` });
    return { reservation, isTaken: reservation.grow(bytes) };
  };
  const taken = [1, 2, 3, 4, 5].map((organizationId) => {
    let count = 0;
    while (opened(organizationId, 32).isTaken) count++;
    return count;
  });

  t.deepEqual(taken, [4, 3, 2, 2, 1]);
  t.true(opened(6, 32).isTaken, 'another tenant still gets a body');
  const { reservation } = opened(1, 32);
  t.is(reservation.refusal().code, 'RATE_LIMITED');
  const ingest = budget.open('192.0.2.1');
  t.true(ingest.grow(256), 'the platform has its quarter');
  t.is(budget.shares.largest()[0]?.organizationId, 1);
});

test('a released body frees the share of its sender', (t) => {
  const budget = createBodyBudget(1_024);
  const reservation = budget.open();
  reservation.charge({ organizationId: 1 });
  t.true(reservation.grow(100));
  t.true(reservation.grow(20));
  t.is(budget.shares.count(), 120);
  reservation.release();
  t.is(budget.shares.count(), 0);
  t.is(budget.bytesInFlight(), 0);
});

test('a full budget refuses every sender with 503', (t) => {
  const budget = createBodyBudget(1_024);
  for (const address of ['192.0.2.1', '192.0.3.1', '192.0.4.1', '192.0.5.1']) budget.open(address).grow(256);
  const reservation = budget.open();
  reservation.charge({ organizationId: 1 });
  t.false(reservation.grow(1));
  t.is(reservation.refusal().code, 'SERVICE_UNAVAILABLE');
});
