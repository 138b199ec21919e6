import { setTimeout as sleep } from 'node:timers/promises';

export interface Wait {
  /** Named in the timeout error. */
  readonly for: string;
  readonly timeoutMs?: number;
  /** Optional. Added to the timeout error. */
  readonly detail?: () => unknown;
}

const POLL_MS = 40;
/** Far more than a busy machine needs. Only a failing test waits for it. */
const DEFAULT_TIMEOUT_MS = 240_000;

/** Polls until the result is neither undefined nor false, and returns it. */
export async function until<Value>(
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  { for: what, timeoutMs = DEFAULT_TIMEOUT_MS, detail }: Wait,
): Promise<Value> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > untilMs) break;
    await sleep(POLL_MS);
  }
  const said = detail ? `: ${JSON.stringify(await detail())}` : '';
  throw new Error(`${what} did not come within ${timeoutMs / 1000} s${said}`);
}
