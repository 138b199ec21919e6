import test from 'ava';
import { createLookupShares } from '../../egress/lookup-shares.ts';

/** Look-ups by workspace, in the order in which they begin. */
function stage(limits: { readonly max: number; readonly maxPerWorkspace: number }) {
  const shares = createLookupShares(limits);
  const begun: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = async (workspaceId: string, signal = new AbortController().signal) => {
    const leave = await shares.enter(workspaceId, signal);
    if (!leave) return false;
    begun.push(workspaceId);
    leaves.push(leave);
    return true;
  };
  const settled = async () => await new Promise(setImmediate);
  const enterAll = async (...workspaceIds: readonly string[]) => {
    for (const id of workspaceIds) void enter(id);
    await settled();
  };
  const leaveFirst = async () => {
    leaves.shift()!();
    await settled();
  };
  return { begun, enter, enterAll, leaveFirst, settled };
}

test('a workspace has no more than its share', async (t) => {
  const { begun, enterAll, leaveFirst } = stage({ max: 10, maxPerWorkspace: 2 });
  await enterAll('a', 'a', 'a', 'b');
  t.deepEqual(begun, ['a', 'a', 'b']);
  await leaveFirst();
  t.deepEqual(begun, ['a', 'a', 'b', 'a']);
});

test('workspaces take turns when all look-ups are in use', async (t) => {
  const { begun, enterAll, leaveFirst } = stage({ max: 2, maxPerWorkspace: 2 });
  await enterAll('a', 'a', 'a', 'a', 'b', 'c', 'b');
  for (let count = 0; count < 5; count++) await leaveFirst();
  t.deepEqual(begun, ['a', 'a', 'a', 'b', 'c', 'a', 'b']);
});

test('a wait ends with its signal and leaves no place', async (t) => {
  const { begun, enter, enterAll, leaveFirst } = stage({ max: 1, maxPerWorkspace: 1 });
  await enterAll('a');
  const waiting = new AbortController();
  const entered = enter('a', waiting.signal);
  waiting.abort();
  t.false(await entered);
  t.false(await enter('b', AbortSignal.abort()));
  await leaveFirst();
  await enterAll('b');
  t.deepEqual(begun, ['a', 'b']);
});
