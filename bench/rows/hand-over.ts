import { setTimeout as sleep } from 'node:timers/promises';
import { toFigures, type FigureSpec } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import { runPhase } from '../system/phase.ts';
import type { Child } from '../system/processes.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';
import { CONNECTIONS } from './ingest.ts';

const DESTINATIONS = 20;
const RATE_PER_SECOND = 200;
const EVENTS = 3_000;
const WARM_UP_EVENTS = 2_000;
/** The change comes when the phase has settled, and the phase lasts long enough for its end to show. */
const CHANGE_AFTER_MS = 3_000;

const phases = [
  'no change',
  'a worker joins',
  'a worker is stopped (SIGTERM)',
  'a worker is killed',
  'a worker pauses (SIGSTOP)',
] as const;
type PhaseName = (typeof phases)[number];
/** Their leases must expire first, which takes seconds, and what they have in flight is repeated. */
const CRASHES: readonly PhaseName[] = ['a worker is killed', 'a worker pauses (SIGSTOP)'];
const MOST_MS = 1_000;
const PAUSE_MS = 10_000;
const specs: FigureSpec[] = phases.flatMap((phase) => [
  { name: `${phase}: p50 of the other destinations`, unit: 'ms' },
  {
    name: `${phase}: p99 of the other destinations`,
    unit: 'ms',
    ...(!CRASHES.includes(phase) && { reach: { atMost: MOST_MS } }),
  },
  { name: `${phase}: latest event of the other destinations`, unit: 'ms' },
  { name: `${phase}: doubled`, unit: '', ...(!CRASHES.includes(phase) && { reach: { atMost: 0 } }) },
]);

interface Stage {
  readonly system: System;
  readonly resourceIds: readonly string[];
  readonly workers: Child[];
  started: number;
}

export const handOver: Row = {
  title: 'a receiver that takes 5 s among 20, while workers join, stop, are killed and pause: how late the others are',
  async measure({ system, say }) {
    const [slowHost] = await system.sink.call('openHosts', { count: 1 });
    const destinationUrl = (number: number): string =>
      number === 0 ? `${slowHost}/slow` : `${system.sinkUrl}/webhook/${number}`;
    const channels = await seedChannels({ ...system, count: DESTINATIONS, destinationUrl });
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    const stage: Stage = { system, resourceIds, workers: [], started: 0 };
    await startWorker(stage);
    await system.startApi();
    await sendBurst(system, { resourceIds: resourceIds.slice(1), count: WARM_UP_EVENTS, connections: CONNECTIONS });
    const runs = await repeat(async () => {
      const measured: Record<string, number> = {};
      for (const phase of phases) Object.assign(measured, await measurePhase(stage, phase));
      while (stage.workers.length > 1) await stage.workers.pop()!.stop();
      say(
        phases
          .map((phase) => `${phase}: p99 ${measured[`${phase}: p99 of the other destinations`]!.toFixed(0)} ms`)
          .join('; '),
      );
      return measured;
    });
    const notes = [`${RATE_PER_SECOND} events a second over ${DESTINATIONS} destinations, sent to arrived.`];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function measurePhase(stage: Stage, phase: PhaseName) {
  const { system, resourceIds } = stage;
  const isOther = (sequence: number): boolean => sequence % DESTINATIONS !== 0;
  const { sentAtMs, arrivedAtMs, repeatedCount } = await runPhase(system, {
    ...{ resourceIds, count: EVENTS, conversations: EVENTS, connections: CONNECTIONS, ratePerSecond: RATE_PER_SECOND },
    meanwhile: () => change(stage, phase),
    mustArrive: isOther,
  });
  const others = (times: Float64Array): Float64Array => times.filter((_, sequence) => isOther(sequence));
  const tookMs = durationsMs(others(sentAtMs), others(arrivedAtMs));
  return {
    [`${phase}: p50 of the other destinations`]: percentile(tookMs, 50),
    [`${phase}: p99 of the other destinations`]: percentile(tookMs, 99),
    [`${phase}: latest event of the other destinations`]: percentile(tookMs, 100),
    [`${phase}: doubled`]: repeatedCount,
  };
}

async function change(stage: Stage, phase: PhaseName): Promise<void> {
  await sleep(CHANGE_AFTER_MS);
  switch (phase) {
    case 'no change':
      return;
    case 'a worker joins':
      return await startWorker(stage);
    // The oldest has held its shards longest.
    case 'a worker is stopped (SIGTERM)':
      await stage.workers.shift()!.stop();
      return await startWorker(stage);
    case 'a worker is killed':
      await stage.workers.shift()!.kill();
      return await startWorker(stage);
    case 'a worker pauses (SIGSTOP)':
      return await pause(stage.workers[0]!);
  }
}

async function pause({ pid }: Child): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await sleep(PAUSE_MS);
  process.kill(pid, 'SIGCONT');
}

async function startWorker(stage: Stage): Promise<void> {
  stage.workers.push(await stage.system.startWorker({}, `worker-${++stage.started}`));
}
