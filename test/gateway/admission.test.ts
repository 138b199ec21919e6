import test from 'ava';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import { createAdmission } from '../../gateway/access/admission.ts';
import { TooManyRequests } from '../../process/http-errors.ts';

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
  t.is(countedOf(2_048), 16);
  t.true(isCounted('2001:db8:8::1'), 'another network');
  t.true(isCounted('192.0.2.1'));
  clock.ms = 60_000;
  t.is(countedOf(2_048), 16);
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

const channel: TokenChannel = {
  channelId: 1,
  channelPublicId: 'ch_00000001',
  type: 'pageapp',
  resourceId: '4711',
  linkedResourceId: null,
  workspaceId: 1,
  workspacePublicId: 'ws_00000001',
  organizationId: 1,
  tokenId: 1,
  scopes: null,
};

test('a call that ends twice frees one slot', (t) => {
  const { enter } = createAdmission({ ...limits, callsUnderWay: 2 }, () => 0);
  const leave = enter(channel);
  enter(channel);
  leave();
  leave();
  enter(channel);
  t.throws(() => enter(channel), { instanceOf: TooManyRequests });
  t.notThrows(() => enter({ ...channel, channelPublicId: 'ch_00000002' }));
});

test('an organization with many channels leaves calls to another', (t) => {
  const { enter, underWay } = createAdmission({ ...limits, callsUnderWay: 4 }, () => 0);
  const call = (number: number, organizationId: number) =>
    enter({ ...channel, channelPublicId: `ch_${number}`, organizationId });
  for (let number = 0; number < 8; number++) call(number, 1);

  t.throws(() => call(8, 1), { instanceOf: TooManyRequests });
  t.notThrows(() => call(9, 2));
  t.deepEqual(underWay.largest()[0], { organizationId: 1, heldCount: 8 });
});

test('a token makes a limited number of calls per minute', (t) => {
  const clock = { ms: 0 };
  const { enter } = createAdmission(limits, () => clock.ms);
  for (let call = 0; call < 10; call++) enter(channel)();
  t.throws(() => enter(channel), { instanceOf: TooManyRequests });
  t.notThrows(() => enter({ ...channel, tokenId: 2 })());
  clock.ms = 60_000;
  t.notThrows(() => enter(channel)());
});
