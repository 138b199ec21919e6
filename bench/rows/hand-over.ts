import { setTimeout as sleep } from 'node:timers/promises';
import { durationsMs, measure, type Measured, percentile } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { startBusy, webhookUrls } from '../system/busy.ts';
import type { Child } from '../system/processes.ts';
import type { System } from '../system/system.ts';
import { runPhase, sendBurst } from '../system/traffic.ts';

const DESTINATIONS = 20;
const RATE_PER_SECOND = 200;
const EVENTS = 3_000;
const WARM_UP_EVENTS = 2_000;
/** The change comes when the phase has settled, and the phase lasts long enough for its end to show. */
const CHANGE_AFTER_MS = 3_000;
const MOST_MS = 1_000;
const PAUSE_MS = 10_000;

interface Fleet {
  readonly system: System;
  /** The oldest is first. It has held its shards longest. */
  readonly workers: Child[];
  started: number;
}

interface Phase {
  readonly name: string;
  readonly change?: (fleet: Fleet) => Promise<void>;
  /** True if leases must expire first, which takes seconds, and what is in flight is repeated. */
  readonly isCrash?: boolean;
}

const phases: readonly Phase[] = [
  { name: 'no change' },
  { name: 'a worker joins', change: startWorker },
  {
    name: 'a worker is stopped (SIGTERM)',
    async change(fleet) {
      await fleet.workers.shift()!.stop();
      await startWorker(fleet);
    },
  },
  {
    name: 'a worker is killed',
    isCrash: true,
    async change(fleet) {
      await fleet.workers.shift()!.kill();
      await startWorker(fleet);
    },
  },
  {
    name: 'a worker pauses (SIGSTOP)',
    isCrash: true,
    async change({ workers: [oldest] }) {
      process.kill(oldest!.pid, 'SIGSTOP');
      await sleep(PAUSE_MS);
      process.kill(oldest!.pid, 'SIGCONT');
    },
  },
];

export const handOver: Row = {
  title: 'a receiver that takes 5 s among 20, while workers join, stop, are killed and pause: how late the others are',
  async measure({ system, say }) {
    const [slowHost] = await system.sink.call('openHosts', { count: 1 });
    const urlOf = webhookUrls(system);
    const destinationUrl = (number: number): string => (number === 0 ? `${slowHost}/slow` : urlOf(number));
    const { resourceIds, worker } = await startBusy(system, { count: DESTINATIONS, destinationUrl, warmUpEvents: 0 });
    await sendBurst(system, { resourceIds: resourceIds.slice(1), count: WARM_UP_EVENTS });
    const fleet: Fleet = { system, workers: [worker], started: 1 };
    const runs = await repeat(async () => {
      const run: Measured[] = [];
      for (const phase of phases) {
        const measured = await measurePhase(fleet, { phase, resourceIds });
        say(measured.map(({ name, value }) => `${name} ${value.toFixed(0)}`).join('; '));
        run.push(...measured);
      }
      while (fleet.workers.length > 1) await fleet.workers.pop()!.stop();
      return run;
    });
    const notes = [`${RATE_PER_SECOND} events a second over ${DESTINATIONS} destinations, sent to arrived.`];
    return { runs, notes };
  },
};

async function measurePhase(
  fleet: Fleet,
  { phase, resourceIds }: { readonly phase: Phase; readonly resourceIds: readonly string[] },
): Promise<Measured[]> {
  const { name, change, isCrash = false } = phase;
  const isOther = (sequence: number): boolean => sequence % DESTINATIONS !== 0;
  const { sentAtMs, arrivedAtMs, repeatedCount } = await runPhase(fleet.system, {
    resourceIds,
    count: EVENTS,
    conversations: EVENTS,
    ratePerSecond: RATE_PER_SECOND,
    async meanwhile() {
      await sleep(CHANGE_AFTER_MS);
      await change?.(fleet);
    },
    mustArrive: isOther,
  });
  const others = (times: Float64Array): Float64Array => times.filter((_, sequence) => isOther(sequence));
  const tookMs = durationsMs(others(sentAtMs), others(arrivedAtMs));
  const at = (percent: number): number => percentile(tookMs, percent);
  return [
    measure(`${name}: p50 of the other destinations`, [at(50), 'ms']),
    measure(`${name}: p99 of the other destinations`, [at(99), 'ms'], isCrash ? null : { atMost: MOST_MS }),
    measure(`${name}: latest event of the other destinations`, [at(100), 'ms']),
    measure(`${name}: doubled`, [repeatedCount, ''], isCrash ? null : { atMost: 0 }),
  ];
}

async function startWorker(fleet: Fleet): Promise<void> {
  fleet.workers.push(await fleet.system.startWorker({ name: `worker-${++fleet.started}` }));
}
