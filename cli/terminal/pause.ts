import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

export async function pause(durationMs: number, { signal }: Pick<World, 'signal'>): Promise<void> {
  await sleep(durationMs, undefined, { signal });
}

export function formatSeconds(durationMs: number): string {
  const total = Math.round(durationMs / 1000);
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}
