import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_POLL_MS = 5;
/** Many tests wait at a time, and each look costs a query or a call. */
const LONGEST_POLL_MS = 50;
/** Far more than a busy machine needs. Only a failing test waits for it. */
const DEADLINE_MS = 240_000;

/** Waits until the condition is truthy and returns its value. Throws with the condition's source on timeout. */
export async function eventually<Value>(
  condition: () => Value | Promise<Value>,
  { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {},
): Promise<NonNullable<Exclude<Value, false>>> {
  const untilMs = performance.now() + deadlineMs;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(1.5 * pollMs, LONGEST_POLL_MS)) {
    const value = await condition();
    if (isPresent(value)) return value;
    if (performance.now() > untilMs) throw new Error(`Not within ${deadlineMs} ms: ${condition.toString()}`);
    await sleep(pollMs);
  }
}

function isPresent<Value>(value: Value): value is NonNullable<Exclude<Value, false>> {
  return value !== false && value !== undefined && value !== null;
}
