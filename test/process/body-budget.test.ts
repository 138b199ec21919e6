import test from 'ava';
import { createBodyBudget } from '../../process/body-budget.ts';

test('a budget rejects bytes beyond its limit', (t) => {
  const budget = createBodyBudget(1000);
  const [first, second] = [budget.open(), budget.open()];
  t.true(first.grow(600));
  t.false(second.grow(401));
  t.true(second.grow(400));
  t.is(budget.bytesInFlight(), 1000);
});

test('an unauthenticated address may use a quarter', (t) => {
  const budget = createBodyBudget(1000);
  const [first, second, other] = [budget.open('a'), budget.open('a'), budget.open('b')];
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
  const [first, second] = [budget.open('a'), budget.open('a')];
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
