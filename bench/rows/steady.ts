import { setTimeout as sleep } from 'node:timers/promises';
import type { BurstFigures, MeasuredTarget } from '../figures/burst.ts';
import { CPU, IDLE, partFigures, serviceSeconds } from '../figures/cost.ts';
import { measure, type Measured, percentile } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { besideFloor } from '../floor/floor-target.ts';
import { CONNECTIONS } from '../system/traffic.ts';

interface Pace {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Optional. The most that each figure may be, as a multiple of the floor's. */
  readonly most?: Readonly<Record<string, number>>;
}

const ARRIVED_P95 = 'accepted to arrived, p95';
const ACCEPTED_P99 = 'accepted, p99';
const paces: readonly Pace[] = [
  { ratePerSecond: 10, seconds: 20 },
  { ratePerSecond: 50, seconds: 10 },
  { ratePerSecond: 200, seconds: 15, most: { [CPU]: 1.25, [ARRIVED_P95]: 1.5, [ACCEPTED_P99]: 1.5 } },
  { ratePerSecond: 1_000, seconds: 10, most: { [ARRIVED_P95]: 1.5, [ACCEPTED_P99]: 1.5 } },
];
const IDLE_MS = 10_000;
const SECONDS_PER_MINUTE = 60;

export const steady: Row = {
  title: 'cost and latency at 10, 50, 200 and 1,000 events a second, beside the floor; the idle cost apart',
  asNpmStart: true,
  hasOwnFloor: true,
  async measure({ system, say }) {
    const { floor, resourceIds, measurePair, splits } = await besideFloor(system);
    const runs = await repeat(async () => {
      const idle = await idleCores(system);
      const floorIdle = await idleCores(floor);
      const run: Measured[] = [
        measure(IDLE, [idle * SECONDS_PER_MINUTE, 's']),
        measure(`${IDLE}, the floor`, [floorIdle * SECONDS_PER_MINUTE, 's']),
      ];
      for (const { ratePerSecond, seconds, most = {} } of paces) {
        const label = `${ratePerSecond.toLocaleString('en')}/s`;
        // The API closes a connection that sends nothing for 10 s.
        const connections = Math.min(CONNECTIONS, ratePerSecond);
        const burst = { resourceIds, ratePerSecond, count: ratePerSecond * seconds, connections };
        const pair = await measurePair(burst, label);
        const service = figuresOf(pair.service, { idle, ratePerSecond });
        const least = figuresOf(pair.least, { idle: floorIdle, ratePerSecond });
        for (const [index, { name, unit, value }] of service.entries()) {
          const floorValue = least[index]!.value;
          const reach = most[name] === undefined ? null : { atMost: most[name] };
          run.push(
            measure(`${label}: ${name}`, [value, unit]),
            measure(`${label}: ${name}, the floor`, [floorValue, unit]),
            measure(`${label}: ${name}, ratio`, [value / floorValue, ''], reach),
          );
          if (name === CPU) run.push(...partFigures(pair.service.cost, (part) => `${label}: ${part}`));
        }
        say(`${label}: ${describe(service)}; the floor ${describe(least)}`);
      }
      return run;
    });
    return { runs, notes: ['Open loop: requests leave when they are due, answered or not.', ...splits] };
  },
};

/** Cores that a system uses while nothing happens. */
async function idleCores(target: MeasuredTarget): Promise<number> {
  const measureIdle = async (): Promise<number> => {
    const before = serviceSeconds(target.cpuSeconds());
    const startedAtMs = performance.now();
    await sleep(IDLE_MS);
    return ((serviceSeconds(target.cpuSeconds()) - before) * 1000) / (performance.now() - startedAtMs);
  };
  return await (target.whileAwake?.(measureIdle) ?? measureIdle());
}

function figuresOf(
  { cost, acceptedMs, arrivedMs }: BurstFigures,
  { idle, ratePerSecond }: { idle: number; ratePerSecond: number },
): Measured[] {
  return [
    measure(CPU, [cost.total, 's']),
    measure('the same without the idle cost', [cost.total - (idle / ratePerSecond) * 1000, 's']),
    measure('accepted, p50', [percentile(acceptedMs, 50), 'ms']),
    measure(ACCEPTED_P99, [percentile(acceptedMs, 99), 'ms']),
    measure('accepted to arrived, p50', [percentile(arrivedMs, 50), 'ms']),
    measure(ARRIVED_P95, [percentile(arrivedMs, 95), 'ms']),
  ];
}

function describe(figures: readonly Measured[]): string {
  return figures.map(({ name, value, unit }) => `${name} ${value.toFixed(2)} ${unit}`).join(', ');
}
