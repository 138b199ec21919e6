import { ApiError, NetworkError } from '../../client/errors.ts';
import type { Run } from '../commands/run.ts';
import { pause, formatSeconds } from '../terminal/pause.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Throws on permanent errors only. */
export type Persist = <Answer>(act: () => Promise<Answer>) => Promise<Answer>;

export function persistence({ world, output }: Pick<Run, 'world' | 'output'>): Persist {
  let lostAtMs: number | undefined;
  return async (act) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const answer = await act();
        if (lostAtMs !== undefined)
          output.warn(`Reconnected after ${formatSeconds(world.now() - lostAtMs)}. No events were lost.`);
        lostAtMs = undefined;
        return answer;
      } catch (error) {
        if (world.signal.aborted || !isTransient(error)) throw error;
        if (lostAtMs === undefined) {
          lostAtMs = world.now();
          output.warn(`Service unavailable: ${error instanceof Error ? error.message : String(error)}. Retrying.`);
        }
        const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        await pause(Math.max(pauseMs, Math.min(askedMs, 60_000)), world);
      }
    }
  };
}

function isTransient(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  return error instanceof ApiError && (error.statusCode >= 500 || error.statusCode === 429);
}
