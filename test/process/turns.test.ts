import test from 'ava';
import { createTurns, type TurnOwner } from '../../process/turns.ts';

interface Limits {
  readonly inAll: number;
  readonly perTenant: number;
  readonly perMember?: number;
}

const never = new AbortController().signal;
const settled = async () => await new Promise(setImmediate);

/** Owners are named by their tenant and, after a slash, their member. Records them in the order in which they begin. */
function stage({ perTenant, ...limits }: Limits) {
  const turns = createTurns({ ...limits, perTenant: () => perTenant });
  const begun: string[] = [];
  const of = (name: string): TurnOwner => {
    const [tenant, member] = name.split('/') as [string, string?];
    return { tenant, ...(member !== undefined && { member }) };
  };
  const enter = async (name: string, signal = never) => {
    const hasBegun = await turns.enter(of(name), () => signal);
    if (hasBegun) begun.push(name);
    return hasBegun;
  };
  const enterAll = async (...names: readonly string[]) => {
    for (const name of names) void enter(name);
    await settled();
  };
  let endedCount = 0;
  const leaveFirst = async () => {
    turns.leave(of(begun[endedCount++]!));
    await settled();
  };
  return { begun, enter, enterAll, leaveFirst, turns };
}

test('a tenant has no more than its share', async (t) => {
  const { begun, enterAll, leaveFirst } = stage({ inAll: 10, perTenant: 2 });
  await enterAll('a', 'a', 'a', 'b');
  t.deepEqual(begun, ['a', 'a', 'b']);
  await leaveFirst();
  t.deepEqual(begun, ['a', 'a', 'b', 'a']);
});

test('a member has no more than its share of the tenant', async (t) => {
  const { begun, enterAll, leaveFirst, turns } = stage({ inAll: 3, perTenant: 2, perMember: 1 });
  await enterAll('1/a', '1/a', '1/b', '1/c');
  t.deepEqual(begun, ['1/a', '1/b']);
  t.is(turns.stats().waitingCount, 2);
  await leaveFirst();
  t.deepEqual(begun, ['1/a', '1/b', '1/a'], 'in order of arrival');
});

test('tenants take turns when all places are taken', async (t) => {
  const { begun, enterAll, leaveFirst } = stage({ inAll: 2, perTenant: 2 });
  await enterAll('a', 'a', 'a', 'a', 'b', 'c', 'b');
  for (let count = 0; count < 5; count++) await leaveFirst();
  t.deepEqual(begun, ['a', 'a', 'a', 'b', 'c', 'a', 'b']);
});

test('a wait ends with its signal and leaves no place', async (t) => {
  const { begun, enter, enterAll, leaveFirst, turns } = stage({ inAll: 1, perTenant: 1 });
  await enterAll('a');
  const waiting = new AbortController();
  const entered = enter('a', waiting.signal);
  waiting.abort();
  t.false(await entered);
  t.false(await enter('b', AbortSignal.abort()));
  t.deepEqual(turns.stats(), { runningCount: 1, waitingCount: 0, tenants: new Map([['a', 1]]) });
  await leaveFirst();
  await enterAll('b');
  t.deepEqual(begun, ['a', 'b']);
});

test('work whose wait ends is refused', async (t) => {
  const { enterAll, turns } = stage({ inAll: 1, perTenant: 1 });
  await enterAll('a');
  const late = turns.run({ tenant: 'b' }, { endOfWait: () => AbortSignal.abort(), work: async () => t.fail() });
  t.like(await t.throwsAsync(late), { code: 'RATE_LIMITED' });
});

test('work that fails gives its place back', async (t) => {
  const { turns } = stage({ inAll: 1, perTenant: 1 });
  const fails = (): Promise<never> => Promise.reject(new Error('failed'));
  await t.throwsAsync(turns.run({ tenant: 'a' }, { endOfWait: () => never, work: fails }), { message: 'failed' });
  t.deepEqual(turns.stats(), { runningCount: 0, waitingCount: 0, tenants: new Map() });
});

test('thousands of waiting works end in linear time', async (t) => {
  const turns = createTurns<number>({ perMember: 20, perTenant: () => 40, inAll: 160 });
  const gate = Promise.withResolvers<void>();
  const crowd = Array.from({ length: 5_000 }, (_, index) =>
    turns.run({ tenant: index % 2, member: `key_${index % 4}` }, { endOfWait: () => never, work: () => gate.promise }),
  );
  t.is(turns.stats().runningCount, 80);
  const usedMs = await processorMs(async () => {
    gate.resolve();
    await Promise.all(crowd);
  });
  t.true(usedMs < 5_000, `${usedMs} ms`);
});

async function processorMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
