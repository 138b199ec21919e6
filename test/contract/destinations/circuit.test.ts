import test from 'ava';
import {
  defaultProbeDelaysMs,
  pauseMs,
  probeDelayMs,
  recoveryInFlight,
} from '../../../contract/destinations/circuit.ts';

test('probe delays double from 5 s to one minute, with jitter', (t) => {
  const middle = [0, 1, 2, 3, 4, 5, 100].map((probesMade) => probeDelayMs(defaultProbeDelaysMs, { probesMade }, 0.5));
  t.deepEqual(middle, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  t.is(probeDelayMs(defaultProbeDelaysMs, { probesMade: 0 }, 0), 4_000);
  t.is(probeDelayMs(defaultProbeDelaysMs, { probesMade: 9 }, 0.999_999_9), 72_000);
});

test('probe delays grow to 15 minutes after an hour', (t) => {
  const minutes = (openFor: number, delaysMs = defaultProbeDelaysMs) =>
    probeDelayMs(delaysMs, { probesMade: 100, openForMs: openFor * 60_000 }, 0.5) / 60_000;
  t.deepEqual(
    [59, 60, 120, 300, 6_000].map((openFor) => minutes(openFor)),
    [1, 3, 6, 15, 15],
  );
  t.is(minutes(6_000, [3_600_000]), 60, 'a longer listed delay is kept');
});

test('only 429 and 503 with Retry-After pause a destination', (t) => {
  t.is(pauseMs(429, 30_000), 30_000);
  t.is(pauseMs(503, 30_000), 30_000);
  t.is(pauseMs(429, 10), 1_000);
  t.is(pauseMs(503, 86_400_000), 3_600_000);
  t.is(pauseMs(500, 30_000), undefined);
  t.is(pauseMs(429, undefined), undefined);
  t.is(pauseMs(null, undefined), undefined);
});

test('a recovered destination starts with two concurrent requests, doubling every second', (t) => {
  t.deepEqual([0, 999, 1_000, 2_500, 4_999, 5_000].map(recoveryInFlight), [2, 2, 4, 8, 32, Infinity]);
});
