import test from 'ava';
import { createFirstAttemptDelays } from '../../../activities/pump/first-attempt-delays.ts';
import type { ClaimedDelivery } from '../../../db/ledger/claim.ts';

/** Long after the start of the pump. */
const T = 100_000;

function stage({ startedAtMs = 0 } = {}) {
  const delays: number[] = [];
  let heldBackCount = 0;
  let nowMs = startedAtMs;
  const meter = { firstAttempt: (delayMs: number) => void delays.push(delayMs), heldBack: () => void heldBackCount++ };
  const measured = createFirstAttemptDelays({ meter, now: () => nowMs });
  const row = (more: Partial<ClaimedDelivery>) =>
    ({ destinationId: 1, attemptCount: 0, recoveredForMs: null, ...more }) as ClaimedDelivery;
  return {
    delays,
    heldBackCount: () => heldBackCount,
    heldBack(destinationId: number, atMs: number) {
      nowMs = atMs;
      measured.heldBack(destinationId);
    },
    released(destinationId: number, atMs: number) {
      nowMs = atMs;
      measured.released(destinationId);
    },
    attempt: (acceptedAtMs: number, startedAt: number, { durationMs = 20, outcome = 'accepted', ...of } = {}) =>
      measured.attempted(row({ acceptedAtMs, ...of }), { startedAtMs: startedAt, durationMs, outcome } as never),
  };
}

test('only first attempts are measured, from acceptance to their start', (t) => {
  const { attempt, delays, heldBackCount } = stage();
  attempt(T, T + 30);
  attempt(T, T + 9_000);
  attempt(T, T + 400, { attemptCount: 1 } as object);
  t.deepEqual(delays, [30, 9_000]);
  t.is(heldBackCount(), 0);
});

test('deliveries behind a failing or slow receiver are not late', (t) => {
  for (const bad of [{ outcome: 'no_response' }, { outcome: 'rejected' }, { durationMs: 1_500 }]) {
    const { attempt, delays, heldBackCount } = stage();
    attempt(T, T + 10, { durationMs: 10_000, ...bad });
    attempt(T + 1_000, T + 11_000);
    t.deepEqual(delays, [10], JSON.stringify(bad));
    t.is(heldBackCount(), 1);
    attempt(T + 60_000, T + 60_050);
    t.deepEqual(delays, [10, 50], 'it keeps up again');
  }
});

test('a destination whose slots are full or which recovers is left out', (t) => {
  const { attempt, heldBack, delays, heldBackCount } = stage();
  heldBack(1, T + 500);
  attempt(T, T + 8_000);
  attempt(T, T + 8_000, { destinationId: 2 } as object);
  attempt(T, T + 90_000, { destinationId: 3, recoveredForMs: 100 } as object);
  t.deepEqual(delays, [8_000], 'the other destination counts');
  t.is(heldBackCount(), 2);
});

test('a backlog behind a circuit does not count after its recovery', (t) => {
  const { attempt, delays, heldBackCount } = stage();
  attempt(T, T + 10, { outcome: 'no_response' });
  const closedAtMs = T + 600_000;
  attempt(T + 300_000, closedAtMs + 100, { recoveredForMs: 100 } as object);
  for (let waitedMs = 6_000; waitedMs < 90_000; waitedMs += 10_000) {
    attempt(closedAtMs - 10_000, closedAtMs + waitedMs);
    attempt(closedAtMs + waitedMs - 9_000, closedAtMs + waitedMs + 1);
  }
  t.deepEqual(delays, [10]);
  t.is(heldBackCount(), 19);
  attempt(closedAtMs + 90_000, closedAtMs + 90_020);
  attempt(closedAtMs + 120_000, closedAtMs + 129_000);
  t.deepEqual(delays, [10, 20, 9_000], 'the backlog has ended');
});

test('a backlog behind a failed delivery does not count after its release', (t) => {
  const { attempt, released, delays, heldBackCount } = stage();
  attempt(T, T + 10, { outcome: 'rejected' });
  released(1, T + 140_000);
  attempt(T + 5_000, T + 140_100);
  attempt(T + 6_000, T + 170_000);
  attempt(T + 139_000, T + 171_000);
  t.deepEqual(delays, [10]);
  t.is(heldBackCount(), 3);
  attempt(T + 200_000, T + 200_050);
  t.deepEqual(delays, [10, 50]);
});

test('a backlog after an outage of the service counts as late', (t) => {
  const { attempt, heldBack, delays } = stage();
  heldBack(1, T + 600_000);
  attempt(T, T + 600_100);
  t.deepEqual(delays, [600_100]);
});

test('a single failure hides no lateness of the service for hours', (t) => {
  const { attempt, delays } = stage();
  attempt(T, T + 10, { outcome: 'rejected' });
  for (let minute = 0; minute < 120; minute++) {
    for (const seconds of [0, 20, 40])
      attempt(T + minute * 60_000 + seconds * 1_000, T + minute * 60_000 + (seconds + 20) * 1_000);
  }
  t.true(delays.length > 250, `${delays.length}`);
});

test('a backlog found at a takeover does not count', (t) => {
  const { attempt, heldBack, delays, heldBackCount } = stage({ startedAtMs: T });
  heldBack(1, T + 5_000);
  attempt(T - 900_000, T + 6_000);
  attempt(T - 900_000, T + 6_000, { destinationId: 2 } as object);
  t.is(heldBackCount(), 1);
  t.deepEqual(delays, [906_000]);
});
