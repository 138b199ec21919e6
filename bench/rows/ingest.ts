import { floorOf } from '../floor/floor-target.ts';
import { measureBurst, type BurstFigures } from '../figures/burst.ts';
import { costFigures, farParts, serviceParts } from '../figures/cost.ts';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import { describeStatements } from '../figures/split.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';

export const EVENTS = 20_000;
/** The platform may have this many connections open. */
export const CONNECTIONS = 128;
export const WARM_UP_EVENTS = 10_000;
const BURST = `${EVENTS} POSTs of one event of 500 bytes each over kept-alive connections, 2,000 senders, one destination.`;
const connectionCounts = [8, 32, CONNECTIONS];
/** Fewer connections make smaller commits, which the goals do not cover. */
const LEAST_WITH_GOAL = 32;
const LEAST_RATE_RATIO = 0.65;
const MOST_CPU_RATIO = 1.6;

export const END_TO_END = 'end to end, first POST to last arrival';
export const CPU = 'processor seconds for 1,000 events';
const ofPart = (part: string): string => `  of these ${part}`;
const over = (connections: number, name: string): string => `${connections} connections: ${name}`;

export const ingest: Row = {
  title: 'signed webhooks over HTTP: end to end and processor time at 8, 32 and 128 connections, beside the floor',
  asNpmStart: true,
  hasOwnFloor: true,
  async measure({ system, say }) {
    const resourceIds = await startBusyDestination(system);
    const floor = await floorOf(system);
    await measureBurst(floor, { resourceIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
    const splits: string[] = [];
    const runs = await repeat(async () => {
      const measured: Measured[] = [];
      for (const connections of connectionCounts) {
        const burst = { resourceIds, count: EVENTS, connections };
        const least = await measureBurst(floor, burst);
        await system.takeStatements();
        const service = await measureBurst(system, burst);
        splits.push(
          ...describeStatements(await system.takeStatements(), {
            eventCount: EVENTS,
            at: `${connections} connections`,
          }),
        );
        measured.push(compare(connections, { service, least }));
        say(describe(connections, { service, least }));
      }
      return Object.assign({}, ...measured) as Measured;
    });
    const figures = toFigures(connectionCounts.flatMap(specsAt), runs);
    return { figures, notes: [BURST, ...splits] };
  },
};

interface Pair {
  readonly service: BurstFigures;
  readonly least: BurstFigures;
}

function specsAt(connections: number): FigureSpec[] {
  const hasGoal = connections >= LEAST_WITH_GOAL;
  const at = (name: string): string => over(connections, name);
  return [
    { name: at(END_TO_END), unit: '/s' },
    { name: at(`${END_TO_END}, the floor`), unit: '/s' },
    { name: at(`${END_TO_END}, ratio`), unit: '', ...(hasGoal && { reach: { atLeast: LEAST_RATE_RATIO } }) },
    { name: at(CPU), unit: 's' },
    ...[...serviceParts, ...farParts].map((part) => ({ name: at(ofPart(part)), unit: 's' })),
    { name: at(`${CPU}, the floor`), unit: 's' },
    { name: at(`${CPU}, ratio`), unit: '', ...(hasGoal && { reach: { atMost: MOST_CPU_RATIO } }) },
  ];
}

function compare(connections: number, { service, least }: Pair): Measured {
  const at = (name: string): string => over(connections, name);
  return {
    [at(END_TO_END)]: service.eventsPerSecond,
    [at(`${END_TO_END}, the floor`)]: least.eventsPerSecond,
    [at(`${END_TO_END}, ratio`)]: service.eventsPerSecond / least.eventsPerSecond,
    ...costFigures(service.cost, { name: at(CPU), ofPart: (part) => at(ofPart(part)) }),
    [at(`${CPU}, the floor`)]: least.cost.total,
    [at(`${CPU}, ratio`)]: service.cost.total / least.cost.total,
  };
}

function describe(connections: number, { service, least }: Pair): string {
  const one = ({ eventsPerSecond, cost }: BurstFigures): string =>
    `${Math.round(eventsPerSecond)}/s, ${cost.total.toFixed(3)} s for 1,000`;
  return `${connections} connections: ${one(service)}; the floor ${one(least)}`;
}

export async function startBusyDestination(system: System): Promise<string[]> {
  const destinationUrl = (): string => `${system.sinkUrl}/webhook`;
  const channels = await seedChannels({ ...system, count: 1, destinationUrl });
  await system.startWorker();
  await system.startApi();
  const resourceIds = channels.map(({ resourceId }) => resourceId);
  await sendBurst(system, { resourceIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
  return resourceIds;
}
