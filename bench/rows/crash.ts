import { setTimeout as sleep } from 'node:timers/promises';
import { measure } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { startBusy } from '../system/busy.ts';
import type { Child } from '../system/processes.ts';
import type { System } from '../system/system.ts';
import { prepareBurst, sendBurst, untilSettled } from '../system/traffic.ts';

const EVENTS = 5_000;
const KILL_AFTER_ARRIVALS = 2_000;
const RESTART_AFTER_MS = 500;
/** Of one destination: a crash repeats what is not yet settled (ADR 22). */
const MAX_DOUBLED = 256;
/** The kernel may still deliver bytes that the killed worker wrote. */
const AFTERMATH_MS = 100;

export const crash: Row = {
  title: 'kill -9 of the worker in the middle of 5,000: lost, doubled, and how soon it is back',
  async measure({ system, say }) {
    const { resourceIds, worker: first } = await startBusy(system, { warmUpEvents: 0 });
    let worker = first;
    const runs = await repeat(async () => {
      await sendBurst(system, { resourceIds, count: EVENTS });
      const killed = await killInTheMiddle({ system, worker, resourceIds });
      worker = killed.worker;
      const { lostCount, doubledCount, afterMs } = killed;
      const last = Math.max(...afterMs) / 1000;
      say(`${doubledCount} doubled, the last after ${last.toFixed(1)} s`);
      return [
        measure('lost', [lostCount, ''], { atMost: 0 }),
        measure('doubled', [doubledCount, ''], { atMost: MAX_DOUBLED }),
        measure('last arrival after the kill', [last, 's'], { atMost: 5 }),
        measure('first arrival after the kill', [Math.min(...afterMs) / 1000, 's']),
      ];
    });
    const notes = [
      `Killed after ${KILL_AFTER_ARRIVALS} of ${EVENTS} arrivals, started again ${RESTART_AFTER_MS} ms later.`,
    ];
    return { runs, notes };
  },
};

async function killInTheMiddle(crash: { system: System; worker: Child; resourceIds: readonly string[] }) {
  const { system, resourceIds } = crash;
  const send = await prepareBurst(system, { resourceIds, count: EVENTS });
  const sending = send();
  await system.sink.call('waitFor', { count: KILL_AFTER_ARRIVALS, timeoutMs: 30_000 });
  const killedAtMs = performance.timeOrigin + performance.now();
  await crash.worker.kill();
  await sleep(RESTART_AFTER_MS);
  const worker = await system.startWorker();
  const { lostCount, arrivedAtMs } = await sending;
  await untilSettled(system);
  // Duplicates may arrive after the last new event.
  const { arrivalCount, distinctCount } = await system.sink.call('arrivals', undefined);
  const afterMs = arrivedAtMs.filter((atMs) => atMs > killedAtMs + AFTERMATH_MS).map((atMs) => atMs - killedAtMs);
  return { worker, lostCount, doubledCount: arrivalCount - distinctCount, afterMs };
}
