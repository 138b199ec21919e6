/** Time that answers need on a busy machine, from the end of their waits to the last byte. */
const ANSWER_RESERVE_MS = 10_000;
/** Time to write answers that need nothing but the connection. */
const LAST_ANSWER_RESERVE_MS = 2_000;

/** Milliseconds from the stop request. Short grace periods keep the same shares. */
export interface StopTimes {
  /** Requests that wait for others are answered with what is known. */
  readonly answersDueMs: number;
  /** All other requests without an answer are refused. */
  readonly lastAnswersMs: number;
  /** The remaining connections are cut. */
  readonly endMs: number;
}

export function stopTimes(graceMs: number): StopTimes {
  return {
    answersDueMs: Math.max(graceMs / 2, graceMs - ANSWER_RESERVE_MS),
    lastAnswersMs: Math.max(graceMs * 0.9, graceMs - LAST_ANSWER_RESERVE_MS),
    endMs: graceMs,
  };
}
