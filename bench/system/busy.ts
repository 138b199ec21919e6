import { clearBacklog, writeBacklog } from './backlog.ts';
import { seedChannels, type SeededChannel } from './seed.ts';
import type { System } from './system.ts';
import { sendBurst, WARM_UP_EVENTS } from './traffic.ts';

interface Busy {
  /** Optional. Default: 1. */
  readonly count?: number;
  readonly destinationUrl?: (number: number) => string;
  readonly warmUpEvents?: number;
  /** Optional. Other channels, which are not warmed up. Their destinations exist before the worker. */
  readonly beside?: () => Promise<readonly SeededChannel[]>;
}

/** Seeds channels, starts a worker and an API, and warms them up. */
export async function startBusy(system: System, { count = 1, warmUpEvents = WARM_UP_EVENTS, ...busy }: Busy = {}) {
  const { destinationUrl = webhookUrls(system) } = busy;
  const channels = await seedChannels({ ...system, count, destinationUrl });
  const others = (await busy.beside?.()) ?? [];
  const worker = await system.startWorker();
  const api = await system.startApi();
  const resourceIds = channels.map(({ resourceId }) => resourceId);
  if (warmUpEvents > 0) await sendBurst(system, { resourceIds, count: warmUpEvents });
  return { channels, resourceIds, others, worker, api };
}

export function webhookUrls({ sinkUrl }: Pick<System, 'sinkUrl'>): (number: number) => string {
  return (number) => `${sinkUrl}/webhook/${number}`;
}

interface Slow {
  readonly slow: readonly SeededChannel[];
  readonly backlog: number;
  readonly latencies: () => Promise<Float64Array>;
  /** Optional. Waits until the slow destinations are busy. */
  readonly untilBusy?: () => Promise<void>;
}

/** Measures latencies alone, and beside slow destinations with a backlog. */
export async function besideSlow({ pool }: System, { slow, backlog, latencies, untilBusy }: Slow) {
  const alone = await latencies();
  for (const { destinationId } of slow) await writeBacklog(pool, { destinationId, rows: backlog });
  await untilBusy?.();
  const beside = await latencies();
  await clearBacklog(pool, slow);
  return { alone, beside };
}
