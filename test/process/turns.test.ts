import test from 'ava';
import { createTurns } from '../../process/turns.ts';

/** Tenants in the order in which their works begin. */
function stage({ inAll, perTenant }: { readonly inAll: number; readonly perTenant: number }) {
  const turns = createTurns({ inAll, perTenant: () => perTenant });
  const begun: string[] = [];
  let endedCount = 0;
  const enter = async (tenant: string, signal = new AbortController().signal) => {
    const hasBegun = await turns.enter(tenant, () => signal);
    if (hasBegun) begun.push(tenant);
    return hasBegun;
  };
  const settled = async () => await new Promise(setImmediate);
  const enterAll = async (...tenants: readonly string[]) => {
    for (const tenant of tenants) void enter(tenant);
    await settled();
  };
  const leaveFirst = async () => {
    turns.leave(begun[endedCount++]!);
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
