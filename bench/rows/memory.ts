import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { residentMb } from '../system/process-facts.ts';
import type { Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import { sendBurst } from '../system/traffic.ts';
import { CONNECTIONS } from './ingest.ts';

const EVENTS = 1_000_000;
const EVENTS_PER_BURST = 50_000;
const SAMPLES_AT = [50_000, 250_000, 500_000, 750_000, 1_000_000];
const nameOf = (part: string, count: number): string => `${part} after ${count.toLocaleString('en')} deliveries`;
const specs: FigureSpec[] = [
  { name: nameOf('worker', EVENTS), unit: 'MB', reach: { atMost: 300 } },
  { name: nameOf('api', EVENTS), unit: 'MB', reach: { atMost: 200 } },
  ...SAMPLES_AT.slice(0, -1).flatMap((count) =>
    ['worker', 'api'].map((part) => ({ name: nameOf(part, count), unit: 'MB' })),
  ),
];

export const memory: Row = {
  title: 'resident memory of worker and API on the way to 1,000,000 deliveries (takes minutes)',
  async measure({ system, say }) {
    const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
    const channels = await seedChannels({ ...system, count: 10, destinationUrl });
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    const worker = await system.startWorker();
    const api = await system.startApi();
    const measured: Record<string, number> = {};
    for (let count = EVENTS_PER_BURST; count <= EVENTS; count += EVENTS_PER_BURST) {
      await sendBurst(system, { resourceIds, count: EVENTS_PER_BURST, connections: CONNECTIONS });
      if (!SAMPLES_AT.includes(count)) continue;
      measured[nameOf('worker', count)] = residentMb(worker.pid);
      measured[nameOf('api', count)] = residentMb(api.pid);
      say(`${count}: worker ${residentMb(worker.pid)} MB, api ${residentMb(api.pid)} MB`);
    }
    return { figures: toFigures(specs, [measured satisfies Measured]), notes: ['One run, ten destinations.'] };
  },
};
