import test from 'ava';
import { createWorkspaceSlots, type WorkspaceSlots } from '../../../../activities/pump/limits/workspace-slots.ts';

function takeAll(slots: WorkspaceSlots, workspaceId: string): number {
  let count = 0;
  while (slots.tryTake(workspaceId, count)) count++;
  return count;
}

test('a single destination may use all slots of its workspace', (t) => {
  const slots = createWorkspaceSlots({ perInstallation: 64 });
  slots.join('ws_a');
  t.is(takeAll(slots, 'ws_a'), 64);
});

test('a destination beside others leaves a quarter of the slots', (t) => {
  const slots = createWorkspaceSlots({ perInstallation: 64 });
  for (let count = 0; count < 8; count++) slots.join('ws_a');
  t.is(takeAll(slots, 'ws_a'), 48);
  t.is(takeAll(slots, 'ws_a'), 8, 'an equal share of the slots');
  t.is(takeAll(slots, 'ws_a'), 1, 'one of the last eighth');
});

test('workers divide the limit of the installation', (t) => {
  let workerCount = 1;
  const slots = createWorkspaceSlots({ perInstallation: 64, workerCount: () => workerCount });
  slots.join('ws_a');
  workerCount = 3;
  t.is(takeAll(slots, 'ws_a'), 22);
  slots.join('ws_b');
  workerCount = 1_000;
  t.is(takeAll(slots, 'ws_b'), 1, 'at least one');
});

test('a release calls those who wait for it once', async (t) => {
  const slots = createWorkspaceSlots({ perInstallation: 1 });
  let callCount = 0;
  const onFree = (): void => void callCount++;
  slots.join('ws_a');
  t.true(slots.tryTake('ws_a', 0));
  t.false(slots.tryTake('ws_a', 0));
  slots.awaitFree('ws_a', onFree);
  slots.awaitFree('ws_a', onFree);
  slots.release('ws_a');
  await Promise.resolve();
  t.is(callCount, 1);
  t.true(slots.tryTake('ws_a', 0));
  slots.release('ws_a');
  await Promise.resolve();
  t.is(callCount, 1);
});
