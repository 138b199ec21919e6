import test, { type ExecutionContext } from 'ava';
import { createDebounce, type Scanned } from '../../../../activities/pump/debounce.ts';
import { createInFlightWindow } from '../../../../activities/pump/in-flight-window.ts';
import type { ClaimedDelivery } from '../../../../db/ledger/claim.ts';
import type { DebouncedClaim } from '../../../../db/ledger/claims/debounced-deliveries.ts';

/** Of a debounced destination, and so not sent. */
const row = (destinationId: number, others: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  id: destinationId * 1_000,
  eventId: 1,
  eventType: 'chatapp.message.received',
  destinationId,
  shard: destinationId,
  channelId: 'ch_1',
  workspaceId: 'ws_1',
  conversationKey: 1,
  ordering: 'conversation',
  attemptCount: 0,
  acceptedAtMs: 0,
  failedInSchedule: 0,
  recoveredForMs: null,
  url: 'https://receiver.example.com/',
  sealedSecrets: [],
  body: Buffer.alloc(0),
  traceParent: null,
  sendsTraceParent: false,
  options: { debounce: { seconds: 60 } },
  sealedCredentials: null,
  ...others,
});

const waiting = (id: number): Scanned['destinations'][number] => ({ id, scannedCount: 1, nextInMs: null });

/** A pump's debounce with a clock and statements that the test ends. */
function stage(t: ExecutionContext) {
  let nowMs = 0;
  let lastAsked: readonly number[] = [];
  const limits = { destinationInFlight: 8, workspaceInFlight: 100, destinationHeld: 32 };
  const window = createInFlightWindow<ClaimedDelivery>({ ...limits, held: 64, now: () => nowMs });
  const debounce = createDebounce({ onDue: () => undefined, now: () => nowMs });
  t.teardown(debounce.close);
  /** Returns the destinations that a statement would read now. */
  const asked = (): readonly number[] | undefined => {
    if (!debounce.isDue() || window.freeCount() <= 0) return undefined;
    const room = window.room();
    lastAsked = debounce.next((id) => (room.get(id) ?? window.firstRoom()) > 0);
    return lastAsked.length > 0 ? lastAsked : undefined;
  };
  const pass = (ms: number): void => void (nowMs += ms);
  const answer = ({
    deliveries = [],
    ...scanned
  }: Partial<Scanned & Pick<DebouncedClaim, 'deliveries'>> = {}): void => {
    window.addDebounced(deliveries);
    debounce.ended(lastAsked, { durationMs: 0, destinations: lastAsked.map(waiting), ...scanned });
  };
  const fail = (): void => debounce.ended(lastAsked);
  const know = (...ids: readonly number[]): void => void debounce.withoutDebounced(ids.map((id) => row(id)));
  return { debounce, window, asked, pass, answer, fail, know };
}

test('a slow statement is followed by the next one after a second', (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  know(1);
  t.deepEqual(asked(), [1]);
  pass(2_000);
  answer({ durationMs: 2_000 });
  debounce.wake([1]);
  pass(999);
  t.is(asked(), undefined);
  pass(1);
  t.deepEqual(asked(), [1]);
});

test('the wait for a statement does not delay the next one', (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  know(1);
  asked();
  pass(5_000);
  answer({ durationMs: 20 });
  debounce.wake([1]);
  pass(200);
  t.deepEqual(asked(), [1]);
});

test('a notification during a statement does not shorten the rest', (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  know(1);
  asked();
  debounce.wake([1]);
  pass(50);
  answer({ durationMs: 50 });
  t.is(asked(), undefined);
  pass(499);
  t.is(asked(), undefined);
  pass(1);
  t.deepEqual(asked(), [1]);
});

test('a failed statement is repeated after a second', (t) => {
  const { asked, pass, fail, know } = stage(t);
  know(1);
  asked();
  pass(10_000);
  fail();
  t.is(asked(), undefined);
  pass(1_000);
  t.deepEqual(asked(), [1]);
});

const MANY_ROWS = 2_000;

test('a statement reads a slice of destinations, and the next one others', (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  know(...ids);
  t.deepEqual(asked(), ids);
  answer({ destinations: ids.map((id) => ({ ...waiting(id), scannedCount: MANY_ROWS })) });
  const seen = new Set<number>();
  for (let turn = 0; turn < 3; turn++) {
    debounce.wake(ids);
    pass(100);
    const slice = asked()!;
    t.is(slice.length, 4);
    for (const id of slice) seen.add(id);
    answer({ destinations: slice.map((id) => ({ ...waiting(id), scannedCount: MANY_ROWS })) });
  }
  t.deepEqual([...seen].toSorted(byNumber), ids);
});

const byNumber = (a: number, b: number): number => a - b;

test('a destination is read when its next window ends', (t) => {
  const { asked, pass, answer, know } = stage(t);
  know(1, 2);
  t.deepEqual(asked(), [1, 2]);
  answer({ destinations: [{ ...waiting(1), nextInMs: 300 }, waiting(2)] });
  pass(299);
  t.is(asked(), undefined);
  pass(1);
  t.deepEqual(asked(), [1]);
  answer();
  pass(700);
  t.deepEqual(asked(), [2], 'a poll finds holds that have expired');
});

test('a destination without room is read when a request is settled', (t) => {
  const { debounce, window, asked, pass, answer, know } = stage(t);
  know(1, 2);
  t.deepEqual(asked(), [1, 2]);
  const requests = Array.from({ length: 32 }, (_, index) =>
    row(1, { id: index + 1, conversationKey: index, following: [] }),
  );
  answer({ deliveries: requests, destinations: [{ ...waiting(1), nextInMs: 0 }, waiting(2)] });
  debounce.wake([1, 2]);
  pass(100);
  t.deepEqual(asked(), [2]);
  answer();
  pass(100);
  t.is(asked(), undefined);
  for (let taken = window.take(); taken.length > 0; taken = window.take()) {
    for (const one of taken) window.settled(one, 'accepted');
    debounce.settled(taken.map((one) => ({ row: one })));
  }
  t.deepEqual(asked(), [1]);
});

test('a full shard is not read', (t) => {
  const { window, asked, know } = stage(t);
  const plain = Array.from({ length: 64 }, (_, index) =>
    row(9, { id: index + 1, conversationKey: index, options: null }),
  );
  window.claimBegins();
  window.add(plain);
  know(1);
  t.is(asked(), undefined);
  window.drop(9);
  t.deepEqual(asked(), [1]);
});
