import { END_TO_END, type BurstFigures } from '../figures/burst.ts';
import { costFigures, CPU } from '../figures/cost.ts';
import { measure, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { besideFloor } from '../floor/floor-target.ts';
import { CONNECTIONS } from '../system/traffic.ts';

export const EVENTS = 20_000;
export const connectionCounts = [8, 32, CONNECTIONS];
const BURST = `${EVENTS} POSTs of one event of 500 bytes each over kept-alive connections, 2,000 senders, one destination.`;
/** Fewer connections make smaller commits, which the goals do not cover. */
const LEAST_WITH_GOAL = 32;
const LEAST_RATE_RATIO = 0.65;
const MOST_CPU_RATIO = 1.6;

export const ingest: Row = {
  title: 'signed webhooks over HTTP: end to end and processor time at 8, 32 and 128 connections, beside the floor',
  asNpmStart: true,
  hasOwnFloor: true,
  async measure({ system, say }) {
    const { resourceIds, measurePair, splits } = await besideFloor(system);
    const runs = await repeat(async () => {
      const run: Measured[] = [];
      for (const connections of connectionCounts) {
        const burst = { resourceIds, count: EVENTS, connections };
        const { service, least } = await measurePair(burst, `${connections} connections`);
        const at = (name: string): string => `${connections} connections: ${name}`;
        const rateRatio = service.eventsPerSecond / least.eventsPerSecond;
        const cpuRatio = service.cost.total / least.cost.total;
        const hasGoal = connections >= LEAST_WITH_GOAL;
        run.push(
          measure(at(END_TO_END), [service.eventsPerSecond, '/s']),
          measure(at(`${END_TO_END}, the floor`), [least.eventsPerSecond, '/s']),
          measure(at(`${END_TO_END}, ratio`), [rateRatio, ''], hasGoal ? { atLeast: LEAST_RATE_RATIO } : null),
          ...costFigures(service.cost, at),
          measure(at(`${CPU}, the floor`), [least.cost.total, 's']),
          measure(at(`${CPU}, ratio`), [cpuRatio, ''], hasGoal ? { atMost: MOST_CPU_RATIO } : null),
        );
        say(`${connections} connections: ${describe(service)}; the floor ${describe(least)}`);
      }
      return run;
    });
    return { runs, notes: [BURST, ...splits] };
  },
};

function describe({ eventsPerSecond, cost }: BurstFigures): string {
  return `${Math.round(eventsPerSecond)}/s, ${cost.total.toFixed(3)} s for 1,000`;
}
