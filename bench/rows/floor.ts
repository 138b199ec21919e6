import { floorOf } from '../floor/floor-target.ts';
import { END_TO_END, measureBurst } from '../figures/burst.ts';
import { CPU } from '../figures/cost.ts';
import { measure, type Measured, percentiles } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { CONNECTIONS, WARM_UP_EVENTS } from '../system/traffic.ts';
import { connectionCounts, EVENTS } from './ingest.ts';

const paces = [
  { ratePerSecond: 200, count: 2_000 },
  { ratePerSecond: 1_000, count: 10_000 },
];

export const floor: Row = {
  title: 'the least that such a service must do on this stack: the measure of all other rows',
  hasOwnFloor: true,
  async measure({ system, say }) {
    const target = await floorOf(system);
    const resourceIds = ['0'];
    await measureBurst(target, { resourceIds, count: WARM_UP_EVENTS });
    const runs = await repeat(async () => {
      const run: Measured[] = [];
      for (const connections of connectionCounts) {
        const { eventsPerSecond, cost } = await measureBurst(target, { resourceIds, count: EVENTS, connections });
        run.push(
          measure(`${connections} connections: ${END_TO_END}`, [eventsPerSecond, '/s']),
          measure(`${connections} connections: ${CPU}`, [cost.total, 's']),
        );
        say(`${connections} connections: ${Math.round(eventsPerSecond)}/s, ${cost.total.toFixed(3)} s for 1,000`);
      }
      for (const pace of paces) {
        const burst = { resourceIds, connections: CONNECTIONS, ...pace };
        const { cost, acceptedMs, arrivedMs } = await measureBurst(target, burst);
        const at = (name: string): string => `${pace.ratePerSecond}/s: ${name}`;
        run.push(
          measure(at(CPU), [cost.total, 's']),
          ...percentiles(at('accepted'), acceptedMs, { 50: null, 99: null }),
          ...percentiles(at('accepted to arrived'), arrivedMs, { 50: null, 95: null }),
        );
      }
      return run;
    });
    return { runs, notes: ['One destination, events of 500 bytes, a PostgreSQL of its own.'] };
  },
};
