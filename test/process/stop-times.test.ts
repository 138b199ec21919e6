import test from 'ava';
import { stopTimes } from '../../process/stop-signals.ts';

test('the times of a stop leave room for answers', (t) => {
  t.deepEqual(
    [1_000, 20_000, 60_000].map((graceMs) => stopTimes(graceMs)),
    [
      { answersDueMs: 500, lastAnswersMs: 900, endMs: 1_000 },
      { answersDueMs: 10_000, lastAnswersMs: 18_000, endMs: 20_000 },
      { answersDueMs: 50_000, lastAnswersMs: 58_000, endMs: 60_000 },
    ],
  );
});
