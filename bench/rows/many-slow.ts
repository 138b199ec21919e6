import { durationsMs, measure, percentile } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { besideSlow, startBusy } from '../system/busy.ts';
import { seedChannels } from '../system/seed.ts';
import { runPhase } from '../system/traffic.ts';

const SLOW = 40;
const SLOW_BACKLOG = 1_000;
const HEALTHY = 10;
const RATE_PER_SECOND = 200;
const EVENTS = 4_000;
const WARM_UP_EVENTS = 2_000;

export const manySlow: Row = {
  title: '40 slow destinations with a backlog beside healthy ones of the same pump',
  async measure({ system, say }) {
    const hosts = await system.sink.call('openHosts', { count: SLOW });
    const { resourceIds, others: slow } = await startBusy(system, {
      count: HEALTHY,
      warmUpEvents: WARM_UP_EVENTS,
      // One worker's window is shared by all.
      beside: () => seedChannels({ ...system, count: SLOW, destinationUrl: (n) => `${hosts[n]}/slow/${n}` }),
    });
    const latencies = async (): Promise<Float64Array> => {
      const burst = { resourceIds, count: EVENTS, ratePerSecond: RATE_PER_SECOND };
      const { sentAtMs, arrivedAtMs } = await runPhase(system, burst);
      return durationsMs(sentAtMs, arrivedAtMs);
    };
    const runs = await repeat(async () => {
      const { alone, beside } = await besideSlow(system, { slow, backlog: SLOW_BACKLOG, latencies });
      return [50, 99].flatMap((percent) => {
        const before = percentile(alone, percent);
        const after = percentile(beside, percent);
        say(`p${percent} ${before.toFixed(1)} → ${after.toFixed(1)} ms`);
        return [
          measure(`healthy p${percent}, alone`, [before, 'ms']),
          measure(`healthy p${percent}, beside`, [after, 'ms']),
          measure(`p${percent}, beside against alone`, [after / before, ''], { atMost: 1.5 }),
        ];
      });
    });
    const notes = [
      `${SLOW} destinations that answer after 5 s, each with ${SLOW_BACKLOG} waiting; all served by one worker, each at a host of its own.`,
    ];
    return { runs, notes };
  },
};
