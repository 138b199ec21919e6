import { setInterval } from 'node:timers/promises';
import { publishBurst } from './publish.ts';
import type { System } from './system.ts';

type LoadOptions = Pick<System, 'apiUrls' | 'platformSecret'> & {
  readonly resourceId: string;
  /** Optional. Further channels, among which the conversations are spread. */
  readonly others?: readonly string[];
};

export interface SteadyLoad {
  /** Ids of messages that were answered 200, in order. */
  readonly acknowledged: readonly string[];
  readonly refusedCount: () => number;
  readonly stop: () => Promise<void>;
}

const PER_TICK = 20;
const TICK_MS = 100;

export const EVENTS_PER_SECOND = (PER_TICK * 1000) / TICK_MS;

export function steadyLoad({ resourceId, others = [], ...system }: LoadOptions): SteadyLoad {
  const acknowledged: string[] = [];
  let refusedCount = 0;
  let hasEnded = false;
  const done = run();
  return {
    acknowledged,
    refusedCount: () => refusedCount,
    async stop() {
      hasEnded = true;
      await done;
    },
  };

  async function run(): Promise<void> {
    let from = 0;
    for await (const _ of setInterval(TICK_MS)) {
      if (hasEnded) return;
      const burst = publishBurst({
        ...system,
        resourceIds: [resourceId, ...others],
        count: PER_TICK,
        lanes: PER_TICK,
        from,
      });
      await burst.done;
      acknowledged.push(...burst.acknowledged);
      refusedCount += burst.refusedCount();
      from += PER_TICK;
    }
  }
}
