import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from './progress.ts';
import type { World } from './world.ts';

const POLL_MS = 1_000;

export async function pause(durationMs: number, { signal }: Pick<World, 'signal'>): Promise<void> {
  await sleep(durationMs, undefined, { signal });
}

export function formatSeconds(durationMs: number): string {
  const total = Math.round(durationMs / 1000);
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

interface Watch {
  readonly world: Pick<World, 'signal'>;
  readonly progress: Progress;
}

/** Reads once a second until `progressOf` returns undefined instead of what to show meanwhile. */
export async function readUntilEnd<Answer>(
  { world, progress }: Watch,
  read: () => Promise<Answer>,
  progressOf: (answer: Answer) => Parameters<Progress['show']> | undefined,
): Promise<Answer> {
  for (;;) {
    const answer = await read();
    const shown = progressOf(answer);
    if (shown === undefined) {
      progress.end();
      return answer;
    }
    progress.show(...shown);
    await pause(POLL_MS, world);
  }
}
