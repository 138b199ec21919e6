import test from 'ava';
import type { QueuedRow } from '../../../activities/pump/destination-queue.ts';
import { createInFlightWindow, type WindowLimits } from '../../../activities/pump/in-flight-window.ts';
import { createWorkspaceSlots } from '../../../activities/pump/limits/workspace-slots.ts';

const wide: WindowLimits = { destinationInFlight: 100, workspaceInFlight: 100, destinationHeld: 400, now: () => 0 };

function row(id: number, others: Partial<QueuedRow> = {}): QueuedRow {
  return { id, destinationId: 1, workspaceId: 'ws_00000001', conversationKey: 7, ordering: 'conversation', ...others };
}

const idsOf = (rows: readonly QueuedRow[]): number[] => rows.map(({ id }) => id);

test('shards of a process share the slots of a workspace', async (t) => {
  const workspaceSlots = createWorkspaceSlots({ perInstallation: 1 });
  let freeCount = 0;
  const first = createInFlightWindow({ ...wide, workspaceSlots });
  const second = createInFlightWindow({ ...wide, workspaceSlots, onSlotsFree: () => void freeCount++ });
  first.add([row(1)]);
  second.add([row(2, { destinationId: 2 })]);
  const [taken] = first.take();
  t.deepEqual(second.take(), []);
  first.settled(taken!, 'accepted');
  await Promise.resolve();
  t.is(freeCount, 1);
  t.deepEqual(idsOf(second.take()), [2]);
});

test('a closed window frees its slots, and late outcomes change nothing', (t) => {
  const workspaceSlots = createWorkspaceSlots({ perInstallation: 2 });
  const closed = createInFlightWindow({ ...wide, workspaceSlots });
  closed.add([row(1), row(2)]);
  const [late] = closed.take();
  closed.close();
  closed.accepted(late!);
  closed.settled(late!, 'accepted');
  const next = createInFlightWindow({ ...wide, workspaceSlots });
  next.add([1, 2, 3].map((id) => row(id, { conversationKey: id })));
  t.deepEqual(idsOf(next.take()), [1, 2]);
});

test('a slow destination holds its requests and a few rows', (t) => {
  let nowMs = 0;
  const window = createInFlightWindow({ ...wide, destinationInFlight: 64, destinationHeld: 256, now: () => nowMs });
  t.is(window.firstRoom(), 32);
  window.add(Array.from({ length: 6 }, (_, index) => row(index + 1, { conversationKey: index })));
  window.take();
  t.is(window.room().get(1), 26, 'nothing is known about it yet');
  nowMs += 1_000;
  t.is(window.room().get(1), 4, 'eight in flight and two ahead');
});

test('rows behind a busy conversation do not hide other conversations', (t) => {
  let nowMs = 0;
  const window = createInFlightWindow({ ...wide, destinationInFlight: 64, destinationHeld: 256, now: () => nowMs });
  window.add(Array.from({ length: 16 }, (_, index) => row(index + 1)));
  window.take();
  nowMs += 1_000;
  t.is(window.room().get(1), 9);
});

test('a nearly full shard keeps rows for destinations without any', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 64, destinationHeld: 256, shardHeld: 40 });
  window.add(Array.from({ length: 29 }, (_, index) => row(index + 1, { conversationKey: index })));
  t.is(window.firstRoom(), 32);
  t.is(window.room().get(1), 3);
  window.add([row(30, { destinationId: 2 })]);
  t.is(window.firstRoom(), 4);
  t.deepEqual(
    [...window.room()],
    [
      [1, 0],
      [2, 14],
    ],
    'an equal share of three quarters',
  );
  t.is(window.freeCount(), 10);
});

test('deliveries that share a request count towards the room of the shard', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 64, destinationHeld: 256, shardHeld: 400 });
  const followingOf = (id: number) => Array.from({ length: 99 }, (_, index) => ({ id: 1_000 * id + index }));
  const request = (id: number) => row(id, { conversationKey: id, following: followingOf(id) });
  window.addDebounced([request(1)]);
  t.is(window.freeCount(), 300);
  t.is(window.room().get(1), 9, 'eight slots and two ahead, one of which is held');
  window.addDebounced([request(2), request(3)]);
  window.add([row(4, { destinationId: 2 })]);
  t.is(window.freeCount(), 99);
  t.is(window.firstRoom(), 4);
  t.deepEqual(
    [...window.room()],
    [
      [1, 0],
      [2, 31],
    ],
    'an equal share of three quarters, in deliveries',
  );
  for (const each of window.take()) window.settled(each, 'accepted');
  t.is(window.freeCount(), 400);
});
