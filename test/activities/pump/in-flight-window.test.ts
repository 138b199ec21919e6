import test from 'ava';
import type { QueuedRow } from '../../../activities/pump/destination-queue.ts';
import { createInFlightWindow, type WindowLimits } from '../../../activities/pump/in-flight-window.ts';

const wide: WindowLimits = { destinationInFlight: 100, workspaceInFlight: 100, destinationHeld: 400 };

function row(id: number, others: Partial<QueuedRow> = {}): QueuedRow {
  return { id, destinationId: 1, workspaceId: 'ws_00000001', conversationKey: 7, ordering: 'conversation', ...others };
}

const idsOf = (rows: readonly QueuedRow[]): number[] => rows.map(({ id }) => id);

test('one of a conversation goes at a time, the next when the one before was accepted', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2), row(3)]);
  const [first] = window.take();
  t.is(first!.id, 1);
  t.deepEqual(window.take(), []);
  window.accepted(first!);
  t.deepEqual(idsOf(window.take()), [2]);
});

test('other conversations, and the same conversation to another destination, do not wait', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2, { conversationKey: 8 }), row(3, { destinationId: 2 }), row(4)]);
  t.deepEqual(idsOf(window.take()).sort(), [1, 2, 3]);
});

test('a destination without order gets all at once', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(2), row(3)].map((each) => ({ ...each, ordering: 'none' as const })));
  t.deepEqual(idsOf(window.take()), [1, 2, 3]);
});

test('a row is given out once, also when it is claimed again while it is held', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1)]);
  const [first] = window.take();
  window.add([row(1)]);
  window.accepted(first!);
  window.add([row(1)]);
  t.deepEqual(window.take(), []);
  t.deepEqual(window.heldIds(), [1]);
});

test('a row that was answered keeps its place until its outcome is in the ledger', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 1 });
  window.add([row(1), row(2)]);
  const [first] = window.take();
  window.accepted(first!);
  t.deepEqual(window.take(), []);
  t.deepEqual(window.heldIds(), [1, 2]);
  window.settled(first!, 'accepted');
  t.deepEqual(idsOf(window.take()), [2]);
  t.deepEqual(window.heldIds(), [2]);
});

test('a destination has no more in flight than it may, and one at its cap does not hold up another', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 2 });
  window.add([1, 2, 3].map((id) => row(id, { conversationKey: id })));
  window.add([row(4, { destinationId: 2 })]);
  t.deepEqual(idsOf(window.take()), [1, 2, 4]);
});

test('a workspace has no more in flight over all its destinations than it may', (t) => {
  const window = createInFlightWindow({ ...wide, workspaceInFlight: 2 });
  window.add([1, 2, 3].map((id) => row(id, { destinationId: id })));
  window.add([row(4, { destinationId: 4, workspaceId: 'ws_00000002' })]);
  const taken = window.take();
  t.deepEqual(idsOf(taken), [1, 2, 4]);
  window.accepted(taken[0]!);
  window.settled(taken[0]!, 'accepted');
  t.deepEqual(idsOf(window.take()), [3]);
});

test('a failure blocks its conversation until it is settled, and then what is behind it is forgotten', (t) => {
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

test('a lower number that becomes visible later goes before the higher ones that still wait', (t) => {
  const window = createInFlightWindow(wide);
  window.add([row(1), row(5), row(6)]);
  const [head] = window.take();
  window.add([row(3)]);
  window.add([row(2)]);
  window.accepted(head!);
  const [second] = window.take();
  t.is(second!.id, 2);
});

test('a lower number that becomes visible later goes first also when the higher one was next and waits for room', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 1 });
  window.add([row(1, { conversationKey: 8 })]);
  const [other] = window.take();
  window.add([row(5)]);
  window.add([row(3)]);
  window.accepted(other!);
  window.settled(other!, 'accepted');
  t.deepEqual(idsOf(window.take()), [3]);
});

test('a claim that was reading while a conversation failed brings nothing of it: those forgotten go first', (t) => {
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

test('room is told for each destination that holds rows, and never below zero', (t) => {
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

test('what is settled twice, or was never held, changes nothing', (t) => {
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

test('a destination may have more with each that is accepted, and half with each that fails', (t) => {
  const window = createInFlightWindow({ ...wide, destinationInFlight: 64, destinationHeld: 256 });
  t.is(window.firstRoom, 32);
  window.add(Array.from({ length: 100 }, (_, index) => row(index + 1, { conversationKey: index })));
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
  t.is(window.take().length, 2);
});

test('a destination that has just come back has few open at first, however much it accepts', (t) => {
  let nowMs = 1_000;
  const window = createInFlightWindow({ ...wide, destinationInFlight: 64, destinationHeld: 256, now: () => nowMs });
  window.add(Array.from({ length: 60 }, (_, index) => row(index + 1, { conversationKey: index, recoveredForMs: 500 })));
  const first = window.take();
  t.is(first.length, 2);
  nowMs += 500;
  t.is(window.take().length, 2, 'twice as many a second after');
  for (const each of first) {
    window.accepted(each);
    window.settled(each, 'accepted');
  }
  t.is(window.take().length, 2);
  nowMs += 5_000;
  t.is(window.take().length, 6, 'then as many as it has room for');
});

test('what has not gone yet is forgotten when a circuit opens, and what a claim under way brings of it', (t) => {
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
