import { toFigures } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import { sendBurst } from '../system/traffic.ts';
import { arrivalSpecs, measureArrivals } from './latency.ts';

const DESTINATIONS = 10_000;
/** One event per destination every ten minutes. */
const RATE_PER_SECOND = 17;
const EVENTS = 680;
const WARM_UP_EVENTS = 5_000;
const WARM_UP_RATE_PER_SECOND = 1_000;
const CONNECTIONS = 32;
const label = `at ${RATE_PER_SECOND}/s to ${DESTINATIONS.toLocaleString('en')} destinations`;

export const many: Row = {
  title: 'how soon an event arrives at one of 10,000 destinations that are mostly quiet',
  async measure({ system, say }) {
    say(`connecting ${DESTINATIONS} channels`);
    const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
    const channels = await seedChannels({ ...system, count: DESTINATIONS, destinationUrl });
    say('starting worker and API');
    await system.startWorker();
    await system.startApi();
    const all = channels.map(({ resourceId }) => resourceId);
    // Warms up the code, but not the measured destinations.
    await sendBurst(system, {
      resourceIds: all.slice(-WARM_UP_EVENTS),
      count: WARM_UP_EVENTS,
      connections: CONNECTIONS,
      ratePerSecond: WARM_UP_RATE_PER_SECOND,
    });
    say('warm');
    const runs = await repeat(async (index) => {
      const resourceIds = all.slice(index * EVENTS, (index + 1) * EVENTS);
      return await measureArrivals(system, { label, resourceIds, ratePerSecond: RATE_PER_SECOND, count: EVENTS });
    });
    const notes = [`${EVENTS} events a run, each to another destination.`];
    return { figures: toFigures(arrivalSpecs(label, { p95: { atMost: 20 } }), runs), notes };
  },
};
