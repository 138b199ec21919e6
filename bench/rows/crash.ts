import { setTimeout as sleep } from 'node:timers/promises';
import { toFigures, type FigureSpec } from '../figures/figures.ts';
import type { Child } from '../system/processes.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { prepareBurst, sendBurst, untilSettled, type BurstResult } from '../system/traffic.ts';
import { CONNECTIONS } from './ingest.ts';

const EVENTS = 5_000;
const KILL_AFTER_ARRIVALS = 2_000;
const RESTART_AFTER_MS = 500;
const specs: FigureSpec[] = [
  { name: 'lost', unit: '', reach: { atMost: 0 } },
  { name: 'doubled', unit: '', reach: { atMost: 64 } },
  { name: 'last arrival after the kill', unit: 's', reach: { atMost: 5 } },
  { name: 'first arrival after the kill', unit: 's' },
];

export const crash: Row = {
  title: 'kill -9 of the worker in the middle of 5,000: lost, doubled, and how soon it is back',
  async measure({ system, say }) {
    const destinationUrl = (): string => `${system.sinkUrl}/webhook`;
    const channels = await seedChannels({ ...system, count: 1, destinationUrl });
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    let worker = await system.startWorker();
    await system.startApi();
    const runs = await repeat(async () => {
      await sendBurst(system, { resourceIds, count: EVENTS, connections: CONNECTIONS });
      const killed = await killInTheMiddle({ system, worker, resourceIds });
      worker = killed.worker;
      say(
        `${killed.measured['doubled']} doubled, the last after ${killed.measured['last arrival after the kill'].toFixed(1)} s`,
      );
      return killed.measured;
    });
    const notes = [
      `Killed after ${KILL_AFTER_ARRIVALS} of ${EVENTS} arrivals, started again ${RESTART_AFTER_MS} ms later.`,
    ];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function killInTheMiddle(crash: { system: System; worker: Child; resourceIds: readonly string[] }) {
  const { system, resourceIds } = crash;
  const send = await prepareBurst(system, { resourceIds, count: EVENTS, connections: CONNECTIONS });
  const sending = send();
  await system.sink.call('waitFor', { count: KILL_AFTER_ARRIVALS, timeoutMs: 30_000 });
  const killedAtMs = performance.timeOrigin + performance.now();
  await crash.worker.kill();
  await sleep(RESTART_AFTER_MS);
  const worker = await system.startWorker();
  const result = await sending;
  await untilSettled(system);
  return { worker, measured: measuredOf(await withDuplicates(system, result), killedAtMs) };
}

/** Counts duplicates, which may arrive after the last new event. */
async function withDuplicates(system: System, result: BurstResult): Promise<BurstResult> {
  const { arrivalCount, distinctCount } = await system.sink.call('arrivals', undefined);
  return { ...result, duplicateCount: arrivalCount - distinctCount };
}

/** The kernel may still deliver bytes that the killed worker wrote. */
const AFTERMATH_MS = 100;

function measuredOf({ lostCount, duplicateCount, arrivedAtMs }: BurstResult, killedAtMs: number) {
  const afterMs = arrivedAtMs.filter((atMs) => atMs > killedAtMs + AFTERMATH_MS).map((atMs) => atMs - killedAtMs);
  return {
    lost: lostCount,
    doubled: duplicateCount,
    'last arrival after the kill': Math.max(...afterMs) / 1000,
    'first arrival after the kill': Math.min(...afterMs) / 1000,
  };
}
