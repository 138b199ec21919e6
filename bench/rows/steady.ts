import { floorOf } from '../floor/floor-target.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureBurst, type BurstFigures, type MeasuredTarget } from '../figures/burst.ts';
import { serviceSeconds } from '../figures/cost.ts';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { describeStatements } from '../figures/split.ts';
import { percentile } from '../figures/statistics.ts';
import { CONNECTIONS, startBusyDestination, WARM_UP_EVENTS } from './ingest.ts';

interface Pace {
  readonly ratePerSecond: number;
  readonly seconds: number;
  /** Optional. The most that each figure may be, as a multiple of the floor's. */
  readonly most?: { readonly cpu?: number; readonly arrivedP95?: number; readonly acceptedP99?: number };
}

const paces: readonly Pace[] = [
  { ratePerSecond: 10, seconds: 20 },
  { ratePerSecond: 50, seconds: 10 },
  { ratePerSecond: 200, seconds: 15, most: { cpu: 1.25, arrivedP95: 1.5, acceptedP99: 1.5 } },
  { ratePerSecond: 1_000, seconds: 10, most: { arrivedP95: 1.5, acceptedP99: 1.5 } },
];
const IDLE_MS = 10_000;
const IDLE = 'processor seconds a minute without any event';
const SECONDS_PER_MINUTE = 60;

const figureNames = ['cpu', 'cpuWithoutIdle', 'acceptedP50', 'acceptedP99', 'arrivedP50', 'arrivedP95'] as const;
type FigureName = (typeof figureNames)[number];

const labels: Readonly<Record<FigureName, { readonly text: string; readonly unit: string }>> = {
  cpu: { text: 'processor seconds for 1,000 events', unit: 's' },
  cpuWithoutIdle: { text: 'the same without the idle cost', unit: 's' },
  acceptedP50: { text: 'accepted, p50', unit: 'ms' },
  acceptedP99: { text: 'accepted, p99', unit: 'ms' },
  arrivedP50: { text: 'accepted to arrived, p50', unit: 'ms' },
  arrivedP95: { text: 'accepted to arrived, p95', unit: 'ms' },
};

const specs: FigureSpec[] = [
  { name: IDLE, unit: 's' },
  { name: `${IDLE}, the floor`, unit: 's' },
  ...paces.flatMap((pace) =>
    figureNames.flatMap((name): FigureSpec[] => {
      const most = pace.most && name in pace.most ? pace.most[name as keyof typeof pace.most] : undefined;
      const { text, unit } = labels[name];
      return [
        { name: at(pace, text), unit },
        { name: at(pace, `${text}, the floor`), unit },
        { name: at(pace, `${text}, ratio`), unit: '', ...(most !== undefined && { reach: { atMost: most } }) },
      ];
    }),
  ),
];

export const steady: Row = {
  title: 'cost and latency at 10, 50, 200 and 1,000 events a second, beside the floor; the idle cost apart',
  asNpmStart: true,
  hasOwnFloor: true,
  async measure({ system, say }) {
    const resourceIds = await startBusyDestination(system);
    const floor = await floorOf(system);
    await measureBurst(floor, { resourceIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
    const splits: string[] = [];
    const runs = await repeat(async () => {
      const [idle, floorIdle] = [await idleCores(system), await idleCores(floor)];
      const measured: Record<string, number> = {
        [IDLE]: idle * SECONDS_PER_MINUTE,
        [`${IDLE}, the floor`]: floorIdle * SECONDS_PER_MINUTE,
      };
      for (const pace of paces) {
        const { ratePerSecond } = pace;
        // The API closes a connection that sends nothing for 10 s.
        const connections = Math.min(CONNECTIONS, ratePerSecond);
        const burst = { resourceIds, ratePerSecond, count: ratePerSecond * pace.seconds, connections };
        const least = figuresOf(await measureBurst(floor, burst), { idle: floorIdle, ratePerSecond });
        await system.takeStatements();
        const service = figuresOf(await measureBurst(system, burst), { idle, ratePerSecond });
        splits.push(
          ...describeStatements(await system.takeStatements(), { eventCount: burst.count, at: `${ratePerSecond}/s` }),
        );
        Object.assign(measured, compare(pace, { service, least }));
        say(describe(pace, { service, least }));
      }
      return measured;
    });
    const notes = ['Open loop: requests leave when they are due, answered or not.'];
    return {
      figures: toFigures(specs, runs),
      notes: [...notes, ...splits],
    };
  },
};

function at({ ratePerSecond }: Pace, text: string): string {
  return `${ratePerSecond.toLocaleString('en')}/s: ${text}`;
}

/** Cores that a system uses while nothing happens. */
async function idleCores(target: MeasuredTarget): Promise<number> {
  const measure = async (): Promise<number> => {
    const before = serviceSeconds(target.cpuSeconds());
    const startedAtMs = performance.now();
    await sleep(IDLE_MS);
    return ((serviceSeconds(target.cpuSeconds()) - before) * 1000) / (performance.now() - startedAtMs);
  };
  return await (target.whileAwake?.(measure) ?? measure());
}

type Figures = Readonly<Record<FigureName, number>>;

function figuresOf(
  { cost, acceptedMs, arrivedMs }: BurstFigures,
  { idle, ratePerSecond }: { idle: number; ratePerSecond: number },
): Figures {
  return {
    cpu: cost.total,
    cpuWithoutIdle: cost.total - (idle / ratePerSecond) * 1000,
    acceptedP50: percentile(acceptedMs, 50),
    acceptedP99: percentile(acceptedMs, 99),
    arrivedP50: percentile(arrivedMs, 50),
    arrivedP95: percentile(arrivedMs, 95),
  };
}

function compare(pace: Pace, { service, least }: { service: Figures; least: Figures }): Measured {
  return Object.fromEntries(
    figureNames.flatMap((name) => [
      [at(pace, labels[name].text), service[name]],
      [at(pace, `${labels[name].text}, the floor`), least[name]],
      [at(pace, `${labels[name].text}, ratio`), service[name] / least[name]],
    ]),
  );
}

function describe({ ratePerSecond }: Pace, { service, least }: { service: Figures; least: Figures }): string {
  const one = ({ cpu, acceptedP99, arrivedP95 }: Figures): string =>
    `${cpu.toFixed(2)} s, accepted p99 ${acceptedP99.toFixed(1)} ms, arrived p95 ${arrivedP95.toFixed(1)} ms`;
  return `${ratePerSecond}/s: ${one(service)}; the floor ${one(least)}`;
}
