import { parentPort } from 'node:worker_threads';
import { call } from './http-call.ts';

/* Requests `/healthz` in a separate thread, so that a busy attacker does not look like a stalled service. */

export interface WatchRequest {
  readonly id: number;
  readonly url: string | undefined;
}

export interface WatchResult {
  readonly id: number;
  /** Includes the body. */
  readonly longestMs: number;
  /** Undefined if every response was 200. */
  readonly problem: string | undefined;
}

const PAUSE_MS = 20;
const watched = new Set<number>();

parentPort?.on('message', ({ id, url }: WatchRequest) => {
  if (url === undefined) {
    watched.delete(id);
    return;
  }
  watched.add(id);
  void watch(id, url).then((result) => parentPort?.postMessage(result));
});

async function watch(id: number, url: string): Promise<WatchResult> {
  let longestMs = 0;
  do {
    const askedAtMs = performance.now();
    const status = await call(url, 'GET /healthz').then(
      (answer) => answer.status,
      (error: unknown) => String(error),
    );
    longestMs = Math.max(longestMs, performance.now() - askedAtMs);
    if (status !== 200) return { id, longestMs, problem: `/healthz answers ${status} during the call.` };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  } while (watched.has(id));
  return { id, longestMs, problem: undefined };
}
