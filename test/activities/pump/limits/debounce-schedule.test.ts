import test, { type ExecutionContext } from 'ava';
import { createDebounce } from '../../../../activities/pump/debounce.ts';
import { createInFlightWindow } from '../../../../activities/pump/in-flight-window.ts';
import type { ClaimedDelivery } from '../../../../db/ledger/claims/claimed-delivery.ts';
import type {
  DebouncedClaim,
  ScannedDestination,
  DebouncedRequest,
} from '../../../../db/ledger/claims/debounced-deliveries.ts';
import { rememberingLog } from '../../../harness/quiet-log.ts';

/** Of a debounced destination, and so not sent. */
const row = (destinationId: number, others: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  ...{ id: destinationId * 1_000, eventId: 1, eventType: 'chatapp.message.received', destinationId },
  ...{ channelId: 'ch_1', workspaceId: 'ws_1', conversationKey: 1, ordering: 'conversation', attemptCount: 0 },
  ...{ acceptedAtMs: 0, failedInSchedule: 0, recoveredForMs: null, url: 'https://receiver.example.com/' },
  ...{ sealedSecrets: [], body: Buffer.alloc(0), traceParent: null },
  ...{ sendsTraceParent: false, options: { debounce: { seconds: 60 } }, sealedCredentials: null },
  ...others,
});

const waiting = (id: number): ScannedDestination => ({
  ...{ id, scannedCount: 1, isWaiting: true, isHidden: false, isCut: false, nextInMs: null },
});

/** A pump's debounce with a clock and statements that the test ends. */
function stage(t: ExecutionContext) {
  let nowMs = 0;
  const statements: (DebouncedRequest & { readonly end: PromiseWithResolvers<DebouncedClaim> })[] = [];
  const limits = { destinationInFlight: 8, workspaceInFlight: 100, destinationHeld: 32 };
  const window = createInFlightWindow<ClaimedDelivery>({ ...limits, shardHeld: 64, now: () => nowMs });
  const debounce = createDebounce({
    ...{ shard: 1, lease: { isValid: () => true }, window, log: rememberingLog(), now: () => nowMs },
    ...{ sendReady: () => undefined, claim: () => undefined, conversations: { park: async () => false } },
    wakeSignal: { wake: () => undefined, wait: async () => true },
    claims: {
      async claimDebounced(request) {
        const end = Promise.withResolvers<DebouncedClaim>();
        statements.push({ ...request, end });
        return await end.promise;
      },
    },
  });
  t.teardown(debounce.close);
  /** Returns the destinations that a statement would read now. */
  const asked = (): readonly number[] | undefined => {
    const count = statements.length;
    debounce.start();
    return statements.length > count ? statements.at(-1)!.destinations.map(({ id }) => id) : undefined;
  };
  const pass = (ms: number): void => void (nowMs += ms);
  const answer = async (answered: Partial<DebouncedClaim> = {}): Promise<void> => {
    const { end, destinations } = statements.at(-1)!;
    end.resolve({
      deliveries: [],
      destinations: destinations.map(({ id }) => waiting(id)),
      durationMs: 0,
      ...answered,
    });
    await debounce.idle();
  };
  const fail = async (): Promise<void> => {
    statements.at(-1)!.end.reject(new Error('database unreachable'));
    await debounce.idle();
  };
  const know = (...ids: readonly number[]): void => void debounce.withoutDebounced(ids.map((id) => row(id)));
  return { debounce, window, asked, pass, answer, fail, know };
}

test('a slow statement is followed by the next one after a second', async (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  know(1);
  t.deepEqual(asked(), [1]);
  pass(2_000);
  await answer({ durationMs: 2_000 });
  debounce.wake();
  pass(999);
  t.is(asked(), undefined);
  pass(1);
  t.deepEqual(asked(), [1]);
});

test('the wait for a statement does not delay the next one', async (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  know(1);
  asked();
  pass(5_000);
  await answer({ durationMs: 20 });
  debounce.wake();
  pass(200);
  t.deepEqual(asked(), [1]);
});

test('a notification during a statement does not shorten the rest', async (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  know(1);
  asked();
  debounce.wake();
  pass(50);
  await answer({ durationMs: 50 });
  t.is(asked(), undefined);
  pass(499);
  t.is(asked(), undefined);
  pass(1);
  t.deepEqual(asked(), [1]);
});

test('a failed statement is repeated after a second', async (t) => {
  const { asked, pass, fail, know } = stage(t);
  know(1);
  asked();
  pass(10_000);
  await fail();
  t.is(asked(), undefined);
  pass(1_000);
  t.deepEqual(asked(), [1]);
});

const MANY_ROWS = 2_000;

test('a statement reads a slice of destinations, and the next one others', async (t) => {
  const { debounce, asked, pass, answer, know } = stage(t);
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  know(...ids);
  t.deepEqual(asked(), ids);
  await answer({ destinations: ids.map((id) => ({ ...waiting(id), scannedCount: MANY_ROWS })) });
  const seen = new Set<number>();
  for (let turn = 0; turn < 3; turn++) {
    debounce.wake();
    pass(100);
    const slice = asked()!;
    t.is(slice.length, 4);
    for (const id of slice) seen.add(id);
    await answer({ destinations: slice.map((id) => ({ ...waiting(id), scannedCount: MANY_ROWS })) });
  }
  t.deepEqual([...seen].toSorted(byNumber), ids);
});

const byNumber = (a: number, b: number): number => a - b;

test('a destination is read when its next window ends', async (t) => {
  const { asked, pass, answer, know } = stage(t);
  know(1, 2);
  t.deepEqual(asked(), [1, 2]);
  await answer({ destinations: [{ ...waiting(1), nextInMs: 300 }, waiting(2)] });
  pass(299);
  t.is(asked(), undefined);
  pass(1);
  t.deepEqual(asked(), [1]);
  await answer();
  pass(700);
  t.deepEqual(asked(), [2], 'a poll finds holds that have expired');
});

test('a destination without room is read when a request is settled', async (t) => {
  const { debounce, window, asked, pass, answer, know } = stage(t);
  know(1, 2);
  t.deepEqual(asked(), [1, 2]);
  const requests = Array.from({ length: 32 }, (_, index) =>
    row(1, { id: index + 1, conversationKey: index, following: [] }),
  );
  await answer({ deliveries: requests, destinations: [{ ...waiting(1), isCut: true }, waiting(2)] });
  debounce.wake();
  pass(100);
  t.deepEqual(asked(), [2]);
  await answer();
  pass(100);
  t.is(asked(), undefined);
  for (let taken = window.take(); taken.length > 0; taken = window.take()) {
    for (const one of taken) window.settled(one, 'accepted');
    debounce.settled(taken.map((one) => ({ row: one })));
  }
  t.deepEqual(asked(), [1]);
});

test('a full shard is not read', async (t) => {
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
