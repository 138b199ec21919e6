import { setTimeout as sleep } from 'node:timers/promises';
import { toFigures, type FigureSpec } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import type { System } from '../system/system.ts';
import { CONNECTIONS } from './ingest.ts';

const HEALTHY = 98;
const DESTINATIONS = 100;
const RATE_PER_SECOND = 500;
const EVENTS = 10_000;
const DEADLINE_MS = 60_000;
const POLL_MS = 100;
const without = 'healthy p99, none dead';
const withDead = 'healthy p99, one dead and one slow';
const ratio = 'with against without';
const specs: FigureSpec[] = [
  { name: without, unit: 'ms' },
  { name: withDead, unit: 'ms' },
  { name: ratio, unit: '', reach: { atMost: 1.2 } },
];

export const fairness: Row = {
  title: 'how soon events arrive at 98 healthy destinations beside one dead and one slow (5 s)',
  async measure({ system, say }) {
    const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
    const healthy = await seedChannels({ ...system, count: DESTINATIONS, destinationUrl });
    const failing = await seedChannels({
      ...{ ...system, count: DESTINATIONS - HEALTHY },
      destinationUrl: (number) => (number === 0 ? system.hangingUrl : `${system.sinkUrl}/slow/${number}`),
    });
    await system.startWorker();
    await system.startApi();
    const all = healthy.map(({ resourceId }) => resourceId);
    const mixed = [...all.slice(0, HEALTHY), ...failing.map(({ resourceId }) => resourceId)];
    await healthyP99(system, all);
    const runs = await repeat(async () => {
      const base = await healthyP99(system, all);
      const beside = await healthyP99(system, mixed);
      say(`${base.toFixed(1)} ms, beside a dead and a slow one ${beside.toFixed(1)} ms`);
      return { [without]: base, [withDead]: beside, [ratio]: beside / base };
    });
    const notes = [`${EVENTS} events at ${RATE_PER_SECOND}/s over ${DESTINATIONS} destinations, sent to arrived.`];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function healthyP99(system: System, resourceIds: readonly string[]): Promise<number> {
  const { sink, publisher, webhookUrl, appSecret } = system;
  await sink.call('expect', { count: EVENTS });
  await publisher.call('prepare', { resourceIds, count: EVENTS, webhookUrl, appSecret });
  const published = await publisher.call('publish', { connections: CONNECTIONS, ratePerSecond: RATE_PER_SECOND });
  if (published.refusedCount > 0) throw new Error(`${published.refusedCount} webhooks were not answered 200`);
  const sentAtMs = published.sentAtMs.filter((_, sequence) => isHealthy(sequence));
  const untilMs = performance.now() + DEADLINE_MS;
  for (;;) {
    const { arrivedAtMs } = await sink.call('arrivals', undefined);
    const arrived = arrivedAtMs.filter((_, sequence) => isHealthy(sequence));
    if (arrived.every((atMs) => atMs > 0)) return percentile(durationsMs(sentAtMs, arrived), 99);
    if (performance.now() > untilMs) throw new Error('Events for healthy destinations did not arrive');
    await sleep(POLL_MS);
  }
}

function isHealthy(sequence: number): boolean {
  return sequence % DESTINATIONS < HEALTHY;
}
