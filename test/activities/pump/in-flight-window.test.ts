import test from 'ava';
import type { QueuedRow } from '../../../activities/pump/destination-queue.ts';
import { createInFlightWindow, type WindowLimits } from '../../../activities/pump/in-flight-window.ts';
import { createWorkspaceSlots } from '../../../activities/pump/limits/workspace-slots.ts';
import { pluck } from '../../harness/pluck.ts';

const wide: WindowLimits = { destinationInFlight: 100, workspaceInFlight: 100, destinationHeld: 400, now: () => 0 };

function row(id: number, others: Partial<QueuedRow> = {}): QueuedRow {
  return {
    id,
    destinationId: 1,
    shard: 1,
    workspaceId: 'ws_00000001',
    conversationKey: 7,
    ordering: 'conversation',
    ...others,
  };
}

/** A window that allows more requests to a destination than it begins with. */
const limited = (others: Partial<WindowLimits> = {}) =>
  createInFlightWindow({ ...wide, destinationInFlight: 64, destinationHeld: 256, ...others });
/** Rows of conversations of their own. */
const rows = (count: number, others: Partial<QueuedRow> = {}): QueuedRow[] =>
  Array.from({ length: count }, (_, index) => row(index + 1, { conversationKey: index, ...others }));

const idsOf = (rows: readonly QueuedRow[]): number[] => rows.map(({ id }) => id);

test('other conversations and other destinations do not wait', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2, { conversationKey: 8 }), row(3, { destinationId: 2 }), row(4)]);
  t.deepEqual(idsOf(window.take()).sort(), [1, 2, 3]);
});

test('an unordered destination gets all rows at once', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2), row(3)].map((each) => ({ ...each, ordering: 'none' as const })));
  t.deepEqual(idsOf(window.take()), [1, 2, 3]);
});

test('an answer frees the slot but not the row', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 1 });
  window.add([row(1), row(2)]);
  const [first] = window.take();
  t.deepEqual(window.take(), []);
  window.accepted(first!);
  t.deepEqual(window.heldIds(), [1, 2]);
  t.deepEqual(idsOf(window.take()), [2]);
  window.settled(first!, 'accepted');
  t.deepEqual(window.heldIds(), [2]);
});

test('a destination has few rows that a crash may repeat', (t) => {
  const window = createInFlightWindow({
    ...wide,
    destinationInFlight: 200,
    workspaceInFlight: 300,
    destinationHeld: 1_200,
  });
  const sent: QueuedRow[] = [];
  const answerAll = (): void => {
    for (let taken = window.take(); taken.length > 0; taken = window.take()) {
      sent.push(...taken);
      for (const each of taken) window.accepted(each);
    }
  };
  window.add(rows(300));
  answerAll();
  t.is(sent.length, 256);
  t.true(window.room().get(1)! > 1_000, 'accepted rows leave room for others');
  for (const each of sent) window.settled(each, 'accepted');
  answerAll();
  t.is(sent.length, 300);
});

test('a destination at its limit does not delay another', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 2 });
  window.add([1, 2, 3].map((id) => row(id, { conversationKey: id })));
  window.add([row(4, { destinationId: 2 })]);
  t.deepEqual(idsOf(window.take()), [1, 2, 4]);
});

test('the workspace limit spans all its destinations', (t) => {
  const window = createInFlightWindow({ ...wide, workspaceInFlight: 2 });
  window.add([1, 2, 3].map((id) => row(id, { destinationId: id })));
  window.add([row(4, { destinationId: 4, workspaceId: 'ws_00000002' })]);
  const taken = window.take();
  t.deepEqual(idsOf(taken), [1, 2, 4]);
  window.accepted(taken[0]!);
  window.settled(taken[0]!, 'accepted');
  t.deepEqual(idsOf(window.take()), [3]);
});

test('a settled failure drops the rows behind it', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2), row(3), row(4, { conversationKey: 8 })]);
  const [head] = window.take();
  t.deepEqual(window.take(), []);
  window.settled(head!, 'failed');
  t.deepEqual(window.take(), []);
  t.deepEqual(window.heldIds(), [4]);
  window.claimBegins();
  window.add([row(2), row(3)]);
  t.deepEqual(idsOf(window.take()), [2]);
});

test('a claim started before a failure adds no rows of its conversation', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2)]);
  const [head] = window.take();
  window.claimBegins();
  window.settled(head!, 'failed');
  window.add([row(3), row(4, { conversationKey: 8 }), row(5, { destinationId: 2 })]);
  t.deepEqual(idsOf(window.take()), [4, 5]);

  window.claimBegins();
  window.add([row(2), row(3)]);
  t.deepEqual(idsOf(window.take()), [2]);
});

test('room is reported per destination and is never negative', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 2, destinationHeld: 2 });
  window.add([row(1), row(2), row(3), row(4, { destinationId: 2 })]);
  t.deepEqual(
    [...window.room()],
    [
      [1, 0],
      [2, 1],
    ],
  );
  t.is(window.heldCount(), 4);
  const [head] = window.take();
  window.settled(head!, 'failed');
  t.deepEqual([...window.room()], [[2, 1]]);
});

test('settling a row twice, or one never held, changes nothing', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2)]);
  const [head] = window.take();
  window.accepted(head!);
  window.settled(head!, 'accepted');
  window.settled(head!, 'failed');
  window.settled(row(99), 'failed');
  t.deepEqual(idsOf(window.take()), [2]);
  t.is(window.heldCount(), 1);
});

test('the allowance doubles per round trip despite single failures', (t) => {
  const window = limited();
  t.is(window.firstRoom(), 32);
  window.add(rows(100));
  const first = window.take();
  t.is(first.length, 8);
  for (const each of first) {
    window.accepted(each);
    window.settled(each, 'accepted');
  }
  const second = window.take();
  t.is(second.length, 16);
  t.is(window.room().get(1), 0);
  for (const each of second.slice(0, 3)) window.settled(each, 'failed');
  for (const each of second.slice(3)) window.settled(each, 'accepted');
  t.is(window.take().length, 16);
});

test('failures of one round halve the allowance once', (t) => {
  const window = limited();
  window.add(rows(100));
  const first = window.take();
  for (const each of first) window.accepted(each);
  for (const each of first) window.settled(each, 'accepted');
  const second = window.take();
  t.is(second.length, 16);
  for (const each of second) window.settled(each, 'failed');
  const third = window.take();
  t.is(third.length, 8);
  for (const each of third.slice(0, 7)) window.settled(each, 'overloaded');
  window.settled(third[7]!, 'failed');
  t.is(window.take().length, 4);
});

test('a recovering destination starts with few requests in flight', (t) => {
  let nowMs = 1_000;
  const window = limited({ now: () => nowMs });
  window.add(rows(60, { recoveredForMs: 500 }));
  const first = window.take();
  t.is(first.length, 2);
  nowMs += 500;
  t.is(window.take().length, 2, 'twice as many after a second');
  for (const each of first) {
    window.accepted(each);
    window.settled(each, 'accepted');
  }
  t.is(window.take().length, 2);
  nowMs += 5_000;
  t.is(window.take().length, 6, 'as many as its allowance permits');
});

test('an open circuit drops unsent rows and those of the current claim', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 2, destinationHeld: 8 });
  window.add([
    row(1),
    row(2),
    row(3, { conversationKey: 5 }),
    row(4, { conversationKey: 6 }),
    row(9, { destinationId: 2 }),
  ]);
  const [head, other] = window.take();
  window.claimBegins();
  window.drop(1);
  t.deepEqual(window.heldIds().sort(), [1, 3, 9]);
  window.add([row(2), row(4, { conversationKey: 6 }), row(10, { destinationId: 2, conversationKey: 8 })]);
  t.deepEqual(window.heldIds().sort(), [1, 10, 3, 9]);
  window.settled(head!, 'failed');
  window.settled(other!, 'failed');
  t.deepEqual(idsOf(window.take()), [10]);
  window.claimBegins();
  window.add([row(1), row(2)]);
  t.deepEqual(idsOf(window.take()), [1]);
});

test('changes of unknown destinations drop all unsent rows and the current claim', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 1, destinationHeld: 8 });
  window.add([row(1), row(2), row(3, { destinationId: 2 }), row(4, { destinationId: 2 })]);
  t.deepEqual(idsOf(window.take()), [1, 3]);
  window.claimBegins();
  window.dropAll();
  t.deepEqual(window.heldIds().sort(), [1, 3]);
  window.add([row(2), row(5, { destinationId: 3 })]);
  t.deepEqual(window.heldIds().sort(), [1, 3]);
  window.claimBegins();
  window.add([row(5, { destinationId: 3 })]);
  t.deepEqual(idsOf(window.take()), [5]);
});

test('a destination that waits for a slot of its workspace is reported', async (t) => {
  let freeCount = 0;
  const window = createInFlightWindow({ ...wide, workspaceInFlight: 1, onSlotsFree: () => void freeCount++ });
  window.add([row(1), row(2, { destinationId: 2 })]);
  const [taken] = window.take();
  t.is(taken!.id, 1);
  window.settled(taken!, 'accepted');
  await Promise.resolve();
  t.is(freeCount, 1);
  t.deepEqual(idsOf(window.take()), [2]);
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
  const window = limited({ now: () => nowMs });
  t.is(window.firstRoom(), 32);
  window.add(rows(6));
  window.take();
  t.is(window.room().get(1), 26, 'nothing is known about it yet');
  nowMs += 1_000;
  t.is(window.room().get(1), 4, 'eight in flight and two ahead');
});

test('rows behind a busy conversation do not hide other conversations', (t) => {
  let nowMs = 0;
  const window = limited({ now: () => nowMs });
  window.add(Array.from({ length: 16 }, (_, index) => row(index + 1)));
  window.take();
  nowMs += 1_000;
  t.is(window.room().get(1), 9);
});

test('a nearly full window keeps rows for destinations without any', (t) => {
  const window = limited({ held: 40 });
  window.add(rows(29));
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

test('deliveries that share a request count towards the room of the window', (t) => {
  const window = limited({ held: 400 });
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

test('a destination has its concurrency in flight', (t) => {
  const window = createInFlightWindow(wide);
  window.add([1, 2, 3].map((id) => row(id, { conversationKey: id, options: { concurrency: 2 } })));
  const [first] = window.take();
  t.deepEqual(window.take(), []);
  window.accepted(first!);
  t.is(window.take().length, 1);
  window.close();
});

test('a paced destination does not hold back another', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1, { options: { requestsPerSecond: 1 } }), row(2, { destinationId: 2 })]);
  t.deepEqual(pluck(window.take(), 'id'), [2]);
  window.close();
});

test('only the destinations of given shards are read and dropped', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 1 });
  const second = { destinationId: 2, shard: 2 };
  window.add([row(1), row(2), row(3, second), row(4, second)]);
  window.addDebounced([row(5, { destinationId: 3, shard: 3, following: [{ id: 6 }] })]);
  const shards = new Set([2, 3]);
  t.deepEqual(window.heldIds(shards), [3, 4, 5, 6]);
  t.deepEqual(
    [...window.heldCounts(shards)],
    [
      [2, 2],
      [3, 1],
    ],
  );
  t.deepEqual([...window.room(shards).keys()], [2, 3]);
  t.deepEqual(idsOf(window.take(undefined, [2])), [3]);
  window.dropShards(shards);
  t.deepEqual(window.heldIds(), [1, 2, 3], 'a row in flight stays until it is settled');
  window.accepted(row(3, second));
  t.deepEqual(idsOf(window.take()), [1]);
});
