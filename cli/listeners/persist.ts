import { ApiError, NetworkError } from '../../client/errors.ts';
import type { Run } from '../commands/run.ts';
import { pause, seconds } from '../terminal/waiting.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Does something at the service until it succeeds, however long the service is away; throws what it refuses for good. */
export type Persist = <Answer>(act: () => Promise<Answer>) => Promise<Answer>;

export function persistence({ world, output }: Pick<Run, 'world' | 'output'>): Persist {
  let lostAtMs: number | undefined;
  return async (act) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const answer = await act();
        if (lostAtMs !== undefined)
          output.warn(`The service is back after ${seconds(world.now() - lostAtMs)}; nothing is lost.`);
        lostAtMs = undefined;
        return answer;
      } catch (error) {
        if (world.signal.aborted || !isPassing(error)) throw error;
        if (lostAtMs === undefined) {
          lostAtMs = world.now();
          output.warn(
            `The service is away: ${error instanceof Error ? error.message : String(error)}. Trying until it is back.`,
          );
        }
        const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        await pause(Math.max(pauseMs, Math.min(askedMs, 60_000)), world);
      }
    }
  };
}

function isPassing(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  return error instanceof ApiError && (error.statusCode >= 500 || error.statusCode === 429);
}
