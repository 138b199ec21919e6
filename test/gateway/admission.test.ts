import test from 'ava';
import { createAdmission } from '../../gateway/access/admission.ts';

const limits = { callsPerMinute: 10, callsUnderWay: 10, failuresPerMinute: 2 };

function admission() {
  const clock = { ms: 0 };
  const { countFailure } = createAdmission(limits, () => clock.ms);
  const isCounted = (address: string): boolean => {
    try {
      countFailure(address);
      return true;
    } catch {
      return false;
    }
  };
  const countedOf = (count: number): number =>
    Array.from({ length: count }, (_, block) => isCounted(`2001:db8:7:${block.toString(16)}::1`)).filter(Boolean)
      .length;
  return { clock, isCounted, countedOf };
}

test('an IPv6 /48 can fail eight times as often as one address', (t) => {
  const { clock, isCounted, countedOf } = admission();
  t.is(countedOf(65_536), 16);
  t.true(isCounted('2001:db8:8::1'), 'another network');
  t.true(isCounted('192.0.2.1'));
  clock.ms = 60_000;
  t.is(countedOf(65_536), 16);
});

test('a failing IPv6 /48 does not reset the counts of others', (t) => {
  const { isCounted, countedOf } = admission();
  t.deepEqual(
    [1, 2, 3].map(() => isCounted('192.0.2.1')),
    [true, true, false],
  );
  countedOf(65_536);
  t.false(isCounted('192.0.2.1'));
});
