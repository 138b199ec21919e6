import { durationsMs, type Measured, percentile, percentiles } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { startBusy } from '../system/busy.ts';
import { sendBurst } from '../system/traffic.ts';

const paces = [
  { ratePerSecond: 200, count: 4_000, p50: { atMost: 2.5 }, p95: { atMost: 6 } },
  { ratePerSecond: 1_000, count: 15_000, p50: { atMost: 4 }, p95: { atMost: 15 } },
];

export const latency: Row = {
  title: 'how soon an event arrives at one busy destination, at 200/s and 1,000/s',
  async measure({ system, say }) {
    const { resourceIds } = await startBusy(system);
    const runs = await repeat(async () => {
      const run: Measured[] = [];
      for (const { ratePerSecond, count, p50, p95 } of paces) {
        const label = `at ${ratePerSecond.toLocaleString('en')}/s`;
        // An event may arrive before its 200, because the commit wakes the worker.
        const times = await sendBurst(system, { resourceIds, ratePerSecond, count });
        const sent = durationsMs(times.sentAtMs, times.arrivedAtMs);
        const accepted = durationsMs(times.answeredAtMs, times.arrivedAtMs);
        run.push(
          ...percentiles(`accepted to arrived ${label}`, accepted, { 50: p50, 95: p95 }),
          ...percentiles(`sent to arrived ${label}`, sent, { 50: null, 95: null, 99: null }),
          ...percentiles(`sent to accepted ${label}`, durationsMs(times.sentAtMs, times.answeredAtMs), { 50: null }),
        );
        say(`${label}: ${percentile(sent, 95).toFixed(1)} ms p95`);
      }
      return run;
    });
    return { runs, notes: ['Open loop: requests leave when they are due, answered or not.'] };
  },
};
