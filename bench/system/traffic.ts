import { setTimeout as sleep } from 'node:timers/promises';
import type { Publishing } from '../remotes/publisher-process.ts';
import type { System } from './system.ts';
import type { BenchEvents } from '../remotes/webhooks.ts';

export interface Burst extends BenchEvents, Publishing {}

/** Times by event number; 0 if the event never arrived. */
export interface BurstResult {
  readonly sentAtMs: Float64Array;
  readonly answeredAtMs: Float64Array;
  readonly arrivedAtMs: Float64Array;
  readonly lastArrivedAtMs: number;
  readonly lostCount: number;
  readonly duplicateCount: number;
  readonly resentCount: number;
}

const ARRIVAL_DEADLINE_MS = 120_000;
const POLL_MS = 20;

/** Signs bodies in advance, so that this time is not measured. */
export async function prepareBurst(system: System, burst: Burst): Promise<() => Promise<BurstResult>> {
  const { sink, publisher, webhookUrl, appSecret } = system;
  const { connections, ratePerSecond, ports, ...events } = burst;
  await sink.call('expect', { count: burst.count });
  await publisher.call('prepare', { ...events, webhookUrl, appSecret });
  return async () => {
    const rate = ratePerSecond === undefined ? {} : { ratePerSecond };
    const over = { connections, ...(ports && { ports }) };
    const { refusedCount, ...times } = await publisher.call('publish', { ...over, ...rate });
    if (refusedCount > 0) throw new Error(`${refusedCount} webhooks were not answered 200`);
    await sink.call('waitFor', { count: burst.count, timeoutMs: ARRIVAL_DEADLINE_MS });
    const arrived = await sink.call('arrivals', undefined);
    return {
      ...times,
      ...arrived,
      lostCount: burst.count - arrived.distinctCount,
      duplicateCount: arrived.arrivalCount - arrived.distinctCount,
    };
  };
}

export async function sendBurst(system: System, burst: Burst): Promise<BurstResult> {
  const send = await prepareBurst(system, burst);
  const result = await send();
  throwIfLost(result);
  await untilSettled(system);
  return result;
}

/** Loss or duplicates invalidate a run. */
export function throwIfLost({ lostCount, duplicateCount }: BurstResult): void {
  if (lostCount + duplicateCount > 0) throw new Error(`${lostCount} events were lost and ${duplicateCount} doubled`);
}

export async function untilSettled({ pool }: System, exceptDestinationId = 0): Promise<void> {
  const sql = `select 1 from deliveries where status = 'pending' and destination_id <> $1 limit 1`;
  while ((await pool.query(sql, [exceptDestinationId])).rows.length > 0) await sleep(POLL_MS);
}
