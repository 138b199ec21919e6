import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import type { System } from '../system/system.ts';
import { prepareBurst, throwIfLost, sendBurst, untilSettled } from '../system/traffic.ts';

const EVENTS = 20_000;
/** The platform may have this many connections open. */
export const CONNECTIONS = 128;
const WARM_UP_EVENTS = 10_000;
const ACCEPT_RATE_PER_SECOND = 1_000;
const ACCEPT_EVENTS = 10_000;

export const END_TO_END = 'end to end, first POST to last arrival';
export const CPU = 'processor seconds for 1,000 events';
const parts = ['api', 'worker', 'postgres', 'temporal', 'publisher', 'sink'];
const partName = (part: string): string => `  of these ${part}`;
const accept = `accepted (POST to 200) at ${ACCEPT_RATE_PER_SECOND.toLocaleString('en')}/s`;
const specs: FigureSpec[] = [
  { name: END_TO_END, unit: '/s', reach: { atLeast: 5_000 } },
  { name: CPU, unit: 's', reach: { atMost: 0.6 } },
  ...parts.map((part) => ({ name: partName(part), unit: 's' })),
  { name: `${accept}, p50`, unit: 'ms', reach: { atMost: 5 } },
  { name: `${accept}, p99`, unit: 'ms', reach: { atMost: 30 } },
];

export const ingest: Row = {
  title: 'signed webhooks over HTTP: end to end, processor time, and how soon they are accepted',
  async measure({ system, say }) {
    const resourceIds = await startBusyDestination(system);
    const runs = await repeat(async () => {
      const fullSpeed = await endToEnd(system, { resourceIds, isSettled: () => untilSettled(system) });
      const accepting = await acceptLatency(system, resourceIds);
      say(`${Math.round(fullSpeed[END_TO_END]!)}/s, ${fullSpeed[CPU]!.toFixed(3)} s for 1,000`);
      return { ...fullSpeed, ...accepting };
    });
    return { figures: toFigures(specs, runs), notes: [describeBurst()] };
  },
};

export function describeBurst(): string {
  return `${EVENTS} POSTs of one event of 500 bytes each over ${CONNECTIONS} kept-alive connections, one destination.`;
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

export interface EndToEnd {
  readonly resourceIds: readonly string[];
  /** The cost of recording the deliveries counts, too. */
  readonly isSettled: () => Promise<void>;
}

export async function endToEnd(system: System, { resourceIds, isSettled }: EndToEnd): Promise<Measured> {
  const send = await prepareBurst(system, { resourceIds, count: EVENTS, connections: CONNECTIONS });
  const before = system.cpuSeconds();
  const result = await send();
  throwIfLost(result);
  await isSettled();
  const after = system.cpuSeconds();
  const used = parts.map((part) => ((after[part]! - before[part]!) / EVENTS) * 1000);
  const firstSentAtMs = result.sentAtMs.reduce((first, atMs) => Math.min(first, atMs));
  return {
    [END_TO_END]: (EVENTS / (result.lastArrivedAtMs - firstSentAtMs)) * 1000,
    [CPU]: used.reduce((sum, seconds) => sum + seconds),
    ...Object.fromEntries(parts.map((part, index) => [partName(part), used[index]!])),
  };
}

async function acceptLatency(system: System, resourceIds: readonly string[]): Promise<Measured> {
  const burst = { resourceIds, count: ACCEPT_EVENTS, connections: CONNECTIONS, ratePerSecond: ACCEPT_RATE_PER_SECOND };
  const { sentAtMs, answeredAtMs } = await sendBurst(system, burst);
  const tookMs = durationsMs(sentAtMs, answeredAtMs);
  return { [`${accept}, p50`]: percentile(tookMs, 50), [`${accept}, p99`]: percentile(tookMs, 99) };
}
