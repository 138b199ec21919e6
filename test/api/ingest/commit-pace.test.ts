import test from 'ava';
import { createCommitPace } from '../../../api/ingest/group-commit.ts';

/** Returns the pause after one commit. */
async function pauseAfter({
  requestCount,
  durationMs,
  laterMs = 0,
}: {
  requestCount: number;
  durationMs: number;
  laterMs?: number;
}): Promise<number> {
  let nowMs = 1_000;
  let pausedMs = 0;
  const sleep = (ms: number): Promise<void> => {
    pausedMs += ms;
    return Promise.resolve();
  };
  const pace = createCommitPace({ now: () => nowMs, sleep });
  await pace.timed(requestCount, () => {
    nowMs += durationMs;
    return Promise.resolve();
  });
  nowMs += laterMs;
  await pace.ready();
  return pausedMs;
}

test('the pause is as long as the last commit', async (t) => {
  t.is(await pauseAfter({ requestCount: 16, durationMs: 3 }), 3);
  t.is(await pauseAfter({ requestCount: 16, durationMs: 200 }), 3);
  t.is(await pauseAfter({ requestCount: 16, durationMs: 0.2 }), 0);
});

test('the time since the last commit counts', async (t) => {
  t.is(await pauseAfter({ requestCount: 16, durationMs: 3, laterMs: 2 }), 1);
  t.is(await pauseAfter({ requestCount: 16, durationMs: 3, laterMs: 10 }), 0);
});

test('there is no pause after a single request or a large commit', async (t) => {
  t.is(await pauseAfter({ requestCount: 1, durationMs: 3 }), 0);
  t.is(await pauseAfter({ requestCount: 64, durationMs: 3 }), 0);
});
