import { setTimeout as sleep } from 'node:timers/promises';
import type { PublisherCalls, Publishing } from '../remotes/publisher-process.ts';
import type { Remote } from '../remotes/remote.ts';
import type { SinkCalls } from '../remotes/sink-process.ts';
import type { BenchEvents } from '../remotes/webhooks.ts';

/** What a burst is sent to: the service, or the floor. */
export interface Target {
  readonly sink: Remote<SinkCalls>;
  readonly publisher: Remote<PublisherCalls>;
  readonly webhookUrl: string;
  readonly appSecret: string;
  /** Returns whether an event has arrived but its end is not yet recorded. */
  hasWaiting(exceptDestinationId?: number): Promise<boolean>;
}

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
export async function prepareBurst(target: Target, burst: Burst): Promise<() => Promise<BurstResult>> {
  const { sink, publisher, webhookUrl, appSecret } = target;
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

export async function sendBurst(target: Target, burst: Burst): Promise<BurstResult> {
  const send = await prepareBurst(target, burst);
  const result = await send();
  throwIfLost(result);
  await untilSettled(target);
  return result;
}

/** Loss or duplicates invalidate a run. */
export function throwIfLost({ lostCount, duplicateCount }: Pick<BurstResult, 'lostCount' | 'duplicateCount'>): void {
  if (lostCount + duplicateCount > 0) throw new Error(`${lostCount} events were lost and ${duplicateCount} doubled`);
}

export async function untilSettled(target: Pick<Target, 'hasWaiting'>, exceptDestinationId?: number): Promise<void> {
  while (await target.hasWaiting(exceptDestinationId)) await sleep(POLL_MS);
}
