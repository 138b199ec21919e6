import { floorOf } from '../floor/floor-target.ts';
import { measureBurst } from '../figures/burst.ts';
import { toFigures, type FigureSpec } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { percentile } from '../figures/statistics.ts';
import { CONNECTIONS, CPU, END_TO_END, EVENTS, WARM_UP_EVENTS } from './ingest.ts';

const connectionCounts = [8, 32, CONNECTIONS];
const paces = [
  { ratePerSecond: 200, count: 2_000 },
  { ratePerSecond: 1_000, count: 10_000 },
];
const specs: FigureSpec[] = [
  ...connectionCounts.flatMap((connections) => [
    { name: `${connections} connections: ${END_TO_END}`, unit: '/s' },
    { name: `${connections} connections: ${CPU}`, unit: 's' },
  ]),
  ...paces.flatMap(({ ratePerSecond }) => [
    { name: `${ratePerSecond}/s: ${CPU}`, unit: 's' },
    ...['accepted, p50', 'accepted, p99', 'accepted to arrived, p50', 'accepted to arrived, p95'].map((name) => ({
      name: `${ratePerSecond}/s: ${name}`,
      unit: 'ms',
    })),
  ]),
];

export const floor: Row = {
  title: 'the least that such a service must do on this stack: the measure of all other rows',
  hasOwnFloor: true,
  async measure({ system, say }) {
    const target = await floorOf(system);
    const resourceIds = ['0'];
    await measureBurst(target, { resourceIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
    const runs = await repeat(async () => {
      const measured: Record<string, number> = {};
      for (const connections of connectionCounts) {
        const { eventsPerSecond, cost } = await measureBurst(target, { resourceIds, count: EVENTS, connections });
        measured[`${connections} connections: ${END_TO_END}`] = eventsPerSecond;
        measured[`${connections} connections: ${CPU}`] = cost.total;
        say(`${connections} connections: ${Math.round(eventsPerSecond)}/s, ${cost.total.toFixed(3)} s for 1,000`);
      }
      for (const pace of paces) {
        const { cost, acceptedMs, arrivedMs } = await measureBurst(target, {
          resourceIds,
          connections: CONNECTIONS,
          ...pace,
        });
        const at = (name: string): string => `${pace.ratePerSecond}/s: ${name}`;
        Object.assign(measured, {
          [at(CPU)]: cost.total,
          [at('accepted, p50')]: percentile(acceptedMs, 50),
          [at('accepted, p99')]: percentile(acceptedMs, 99),
          [at('accepted to arrived, p50')]: percentile(arrivedMs, 50),
          [at('accepted to arrived, p95')]: percentile(arrivedMs, 95),
        });
      }
      return measured;
    });
    return {
      figures: toFigures(specs, runs),
      notes: ['One destination, events of 500 bytes, a PostgreSQL of its own.'],
    };
  },
};
